// Import before any schema is created: the content security policy forbids eval, and zod probes for it otherwise.

import { z } from 'zod';

z.config({ jitless: true });
