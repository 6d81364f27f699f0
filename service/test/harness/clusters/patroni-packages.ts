import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Programs of a cluster, unpacked into a folder. */
export interface PatroniPackages {
  readonly patroni: readonly string[]
  readonly etcd: string
  readonly haproxy: string
  /** Environment that the programs need to find their modules and libraries. */
  readonly environment: Readonly<Record<string, string>>
}

// First Debian with Patroni 4: version 3.0 may overwrite the leader key of a member that was elected meanwhile.
const suiteOfPatroni = 'trixie'
// Patroni is plain Python and etcd a static program, so they also run on an older Debian.
const newer = ['patroni', 'etcd-server']
// Packages from the machine's own release: some are compiled for its version of Python.
const own = [
  'psycopg2',
  'urllib3',
  'dateutil',
  'six',
  'click',
  'prettytable',
  'wcwidth',
  'psutil',
  'yaml',
  'cdiff',
  'etcd',
  'dnspython',
].map((name) => `python3-${name}`)
const ownPrograms = ['haproxy', 'liblua5.3-0', 'libopentracing-c-wrapper0', 'libopentracing1']

/** Downloads the packages from the Debian mirror that this machine uses, and installs nothing. */
export async function unpackPatroni(folder: string): Promise<PatroniPackages> {
  const { mirror, suite } = await findMirror()
  const [root, packages] = [join(folder, 'root'), join(folder, 'packages')]
  for (const path of ['root', 'packages', 'lists/partial', 'cache/archives/partial'])
    await mkdir(join(folder, path), { recursive: true })
  // The programs run as another user.
  await chmod(folder, 0o755)
  const keys = '/usr/share/keyrings/debian-archive-keyring.gpg'
  const sources = [...new Set([suite, suiteOfPatroni])].map(
    (name) => `deb [signed-by=${keys}] ${mirror} ${name} main\n`,
  )
  await writeFile(join(folder, 'sources.list'), sources.join(''))
  const apt = (...args: string[]) =>
    run('apt-get', [...optionsIn(folder), ...args], { cwd: packages, timeout: 300_000 })
  await apt('update')
  const wanted = [...own, ...ownPrograms].map((name) => `${name}/${suite}`)
  await apt('download', ...newer.map((name) => `${name}/${suiteOfPatroni}`), ...wanted)
  for (const file of globSync('*.deb', { cwd: packages })) await run('dpkg', ['-x', join(packages, file), root])
  const [libraries] = globSync(join(root, 'usr/lib/*-linux-gnu'))
  return {
    patroni: ['/usr/bin/python3', join(root, 'usr/bin/patroni')],
    etcd: join(root, 'usr/bin/etcd'),
    haproxy: join(root, 'usr/sbin/haproxy'),
    environment: {
      PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
      PYTHONPATH: join(root, 'usr/lib/python3/dist-packages'),
      LD_LIBRARY_PATH: libraries ?? '',
    },
  }
}

async function findMirror(): Promise<{ mirror: string; suite: string }> {
  const format = ['--format', '$(REPO_URI) $(RELEASE)', 'Created-By: Packages']
  const { stdout } = await run('apt-get', ['indextargets', ...format])
  const [, mirror, suite] = /^(\S+\/debian\/?) ([a-z]+)$/m.exec(stdout) ?? []
  if (mirror === undefined || suite === undefined) throw new Error('apt-get knows no mirror of Debian')
  return { mirror, suite }
}

/** Options that use only this folder's lists, cache and sources, so that the machine's packages stay as they are. */
const optionsIn = (folder: string) =>
  [
    `Dir::Etc::sourcelist=${join(folder, 'sources.list')}`,
    'Dir::Etc::sourceparts=/dev/null',
    `Dir::State=${folder}`,
    'Dir::State::status=/dev/null',
    `Dir::Cache=${join(folder, 'cache')}`,
    'APT::Sandbox::User=root',
    'Acquire::Retries=3',
    'Acquire::http::Timeout=30',
  ].flatMap((option) => ['-o', option])
