// Imported before any schema is made: the page's policy forbids eval, and zod must not even try it.

import { z } from 'zod';

z.config({ jitless: true });
