import { readdir, readFile, stat } from 'node:fs/promises'
import { type StaticFile, staticFileOf } from '../../platform/api/openapi/static-file.ts'

export interface BuiltConsole {
  /** Content of index.html, with placeholders. */
  readonly page: string
  /** Returns an asset by its name; undefined if the build has no such file. */
  assetOf(name: string): Promise<StaticFile | undefined>
  readonly builtAt: number
}

const typeOf: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

/** Reads the built console, or returns `known` if there is no newer build; undefined if it was not built. */
export async function readBuiltConsole(folder: URL, known?: BuiltConsole): Promise<BuiltConsole | undefined> {
  const index = new URL('index.html', folder)
  const found = await stat(index).catch(() => undefined)
  if (!found) return undefined
  if (known?.builtAt === found.mtimeMs) return known
  const assets = new URL('static/', folder)
  // Only names that exist are served, so no name can lead out of the folder.
  const names = new Set(await readdir(assets))
  const files = new Map<string, Promise<StaticFile>>()
  return {
    page: await readFile(index, 'utf8'),
    builtAt: found.mtimeMs,
    assetOf: async (name) => {
      const type = typeOf[name.split('.').at(-1) ?? '']
      if (type === undefined || !names.has(name)) return undefined
      const file = files.get(name) ?? readAsset(new URL(name, assets), type)
      files.set(name, file)
      return file
    },
  }
}

/** Reads the compressed forms that the build has made: it can afford a better quality than a response. */
async function readAsset(url: URL, type: string): Promise<StaticFile> {
  const read = (suffix: string) => readFile(new URL(url.href + suffix))
  const [identity, br, gzip] = await Promise.all([read(''), read('.br'), read('.gz')])
  return staticFileOf({ identity, br, gzip }, type, { 'cache-control': 'public, max-age=31536000, immutable' })
}
