// Child process of schema-owner.test.ts: creates a schema with a table, prints its name and waits to be killed.

import { openDatabase } from '../../src/storage/database/database.ts';
import { databaseUrl, freshSchema } from './databases.ts';

const schema = freshSchema();
const database = await openDatabase({ databaseUrl, schema });
await database.knex.raw('create table held (id int)');
console.log(schema);
setInterval(() => {}, 2 ** 30);
