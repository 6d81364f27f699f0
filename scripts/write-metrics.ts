import { mkdir, writeFile } from 'node:fs/promises'
import { metricsDocument } from './metrics-document.ts'

const folder = new URL('../docs/operations/', import.meta.url)
const document = await metricsDocument()
if (process.argv.includes('--print')) process.stdout.write(document)
else {
  await mkdir(folder, { recursive: true })
  await writeFile(new URL('metrics.md', folder), document)
}
