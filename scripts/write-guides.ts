import { writeFile } from 'node:fs/promises'
import { errorsGuide } from './errors-guide.ts'
import { llmsText } from './llms-text.ts'
import { postmanCollection } from './postman-collection.ts'

const root = new URL('../', import.meta.url)
await writeFile(new URL('docs/guides/errors.md', root), errorsGuide())
await writeFile(new URL('docs/postman_collection.json', root), `${JSON.stringify(postmanCollection(), undefined, 2)}\n`)
await writeFile(new URL('llms.txt', root), llmsText())
