import { writeFile } from 'node:fs/promises'
import { apiDescription } from '../service/src/api-description.ts'
import { openApiDocument } from '../service/src/http/openapi.ts'
import { operations } from '../service/src/operations.ts'

const document = openApiDocument(apiDescription, operations)
await writeFile(new URL('../service/openapi.json', import.meta.url), `${JSON.stringify(document, null, 2)}\n`)
