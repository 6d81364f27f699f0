import { writeFile } from 'node:fs/promises'
import { apiDescription } from '../service/src/api-description.ts'
import { describedOperations } from '../service/src/operations.ts'
import { operatorApiDescription } from '../service/src/operator-api-description.ts'
import { operatorApiOperations } from '../service/src/operator-operations.ts'
import { openApiDocument } from '../service/src/platform/api/openapi/openapi.ts'

const documents = {
  'openapi.json': openApiDocument(apiDescription, describedOperations),
  'operator-openapi.json': openApiDocument(operatorApiDescription, operatorApiOperations),
}
for (const [name, document] of Object.entries(documents))
  await writeFile(new URL(`../service/${name}`, import.meta.url), `${JSON.stringify(document, null, 2)}\n`)
