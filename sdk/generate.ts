// Generates src/generated from service/openapi.json. A test fails if the committed files are out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import { generateOperations } from './generate-operations.ts'
import { generateSchemas } from './generate-schemas.ts'
import type { OpenApiDocument } from './openapi-document.ts'

export async function generate(): Promise<Record<string, string>> {
  const document: OpenApiDocument = JSON.parse(
    readFileSync(new URL('../service/openapi.json', import.meta.url), 'utf8'),
  )
  return { 'operations.ts': generateOperations(document), 'schemas.ts': await generateSchemas(document) }
}

if (import.meta.main)
  for (const [name, text] of Object.entries(await generate()))
    writeFileSync(new URL(`src/generated/${name}`, import.meta.url), text)
