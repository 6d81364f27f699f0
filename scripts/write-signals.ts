import { mkdir, rm, writeFile } from 'node:fs/promises'
import { signalFiles } from '../deploy/signals/signal-files.ts'

const root = new URL('../', import.meta.url)
await rm(new URL('docs/operations/alerts/', root), { recursive: true, force: true })
for (const [path, text] of signalFiles()) {
  const file = new URL(path, root)
  await mkdir(new URL('./', file), { recursive: true })
  await writeFile(file, text)
}
