// Compresses the built files, so that the operator API only has to send them.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const folder = new URL('dist/static/', import.meta.url)
// The highest quality takes five times as long and saves only 5 %.
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

await Promise.all(
  globSync('*', { cwd: folder }).map(async (name) => {
    const content = readFileSync(new URL(name, folder))
    writeFileSync(new URL(`${name}.br`, folder), await promisify(brotliCompress)(content, quality))
    writeFileSync(new URL(`${name}.gz`, folder), await promisify(gzip)(content, { level: 9 }))
  }),
)
