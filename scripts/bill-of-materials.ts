import { readFileSync } from 'node:fs'

interface LockedPackage {
  readonly version?: string
  readonly integrity?: string
  readonly license?: string
  readonly link?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { optional?: boolean }>>
}

interface Component {
  readonly type: 'library'
  readonly group?: string
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly licenses: readonly { readonly expression: string }[]
  readonly hashes: readonly { readonly alg: 'SHA-512'; readonly content: string }[]
}

/**
 * Lists in CycloneDX what the service runs with: all its dependencies according to package-lock.json. `npm sbom` omits
 * most of them when asked for one workspace without development tools (npm/cli#7909).
 */
export function billOfMaterials() {
  const lock = new URL('../package-lock.json', import.meta.url)
  const { packages } = JSON.parse(readFileSync(lock, 'utf8')) as { packages: Record<string, LockedPackage> }
  const { version = '' } = packages['service'] ?? {}
  const paths = [...reachedFrom('service', packages)].toSorted()
  const components = new Map(paths.map((path) => componentOf(path, packages[path] ?? {})).map((one) => [one.purl, one]))
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name: '@investor-token/service', version } },
    components: [...components.values()],
  } as const
}

/** Returns the packages that a package needs, directly or not. Optional ones count, because they may be installed. */
function reachedFrom(start: string, packages: Readonly<Record<string, LockedPackage>>): Set<string> {
  const reached = new Set<string>()
  const visit = (path: string) => {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[path] ?? {}
    const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional)
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const found = resolve(name, path, packages)
      if (!found || reached.has(found)) continue
      reached.add(found)
      visit(found)
    }
  }
  visit(start)
  return reached
}

/** Returns the folder in which Node finds an imported package; undefined for a binary of another platform. */
function resolve(name: string, from: string, packages: Readonly<Record<string, LockedPackage>>): string | undefined {
  for (let folder: string | undefined = from; folder !== undefined; folder = parentOf(folder)) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (packages[path]) return path
  }
  return undefined
}

function parentOf(folder: string): string | undefined {
  if (folder === '') return undefined
  const end = folder.lastIndexOf('/node_modules/')
  return end < 0 ? '' : folder.slice(0, end)
}

/** Packages whose manifest lacks the licence that their file `LICENSE` has. */
const licencesInFile = new Map([['png-js', 'MIT']])

function componentOf(path: string, { version = '', license, integrity = '' }: LockedPackage): Component {
  const fullName = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const [group, name] = fullName.startsWith('@') ? (fullName.split('/') as [string, string]) : [undefined, fullName]
  const licence = license ?? licencesInFile.get(fullName)
  const encodedGroup = group ? `${group.replace('@', '%40')}/` : ''
  return {
    type: 'library',
    ...(group ? { group } : {}),
    name,
    version,
    purl: `pkg:npm/${encodedGroup}${name}@${version}`,
    licenses: licence ? [{ expression: licence }] : [],
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex') }],
  }
}
