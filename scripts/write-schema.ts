import { writeFile } from 'node:fs/promises'
import { dumpSchema } from '../service/test/harness/installation/schema-dump.ts'

const schema = await dumpSchema()
if (schema === undefined) {
  process.stderr.write('schema.sql is written with PostgreSQL 15: point TEST_DATABASE_URL at one.\n')
  process.exit(1)
}
await writeFile(new URL('../service/schema.sql', import.meta.url), schema)
