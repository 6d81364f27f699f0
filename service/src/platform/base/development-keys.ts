import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { formatKey } from './key-ring.ts'

/** Path in the project's folder, wherever a process is started, so that all processes of a checkout share it. */
const defaultFile = fileURLToPath(new URL('../../../../.dev/keys.json', import.meta.url))

const purposes = ['tokenSigningKeys', 'secretPeppers', 'dataMasterKeys'] as const
type DevelopmentKeys = Record<(typeof purposes)[number], string>

/**
 * Returns the keys of this checkout, for development without key settings. The first process that needs them generates
 * them: a key in the repository would be the same everywhere.
 */
export function developmentKeys(file = defaultFile): DevelopmentKeys {
  try {
    return read(file) ?? create(file)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const problem = `.dev/keys.json cannot be used (${code ?? message})`
    throw new Error(`it is not set, and ${problem}; set it or delete that file`, { cause: error })
  }
}

function read(file: string): DevelopmentKeys | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as DevelopmentKeys
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}

/** Writes the file completely before it gets its name. If another process was first, its keys count. */
function create(file: string): DevelopmentKeys {
  const keys = purposes.map((purpose) => [purpose, formatKey({ id: 'development', secret: randomBytes(32) })])
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  mkdirSync(dirname(file), { recursive: true })
  try {
    writeFileSync(temporary, `${JSON.stringify(Object.fromEntries(keys), undefined, 2)}\n`, { mode: 0o600, flag: 'wx' })
    // Unlike a rename, a link fails if the name exists.
    linkSync(temporary, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(temporary, { force: true })
  }
  const created = read(file)
  if (!created) throw new Error('it was deleted while it was created')
  return created
}
