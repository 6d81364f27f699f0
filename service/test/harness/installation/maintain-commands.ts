import { runMaintain, runMaintainJson } from './process.ts'
import { testKeys } from './test-keys.ts'

/** Login that a command connects with. */
export type MaintainLogin = 'service' | 'service and worker' | 'owner' | 'superuser'

const headings: Record<string, MaintainLogin> = {
  DATABASE_URL: 'service',
  'DATABASE_URL and WORKER_DATABASE_URL': 'service and worker',
  'OWNER_DATABASE_URL, the owner of the tables': 'owner',
  'OWNER_DATABASE_URL, a superuser': 'superuser',
}

/** Returns the commands with the login that each declares, as `maintain` prints them. */
export async function declaredCommands(): Promise<Map<string, MaintainLogin>> {
  const { output } = await runMaintain([], {})
  const commands = new Map<string, MaintainLogin>()
  let login: MaintainLogin | undefined
  for (const line of output.split('\n')) {
    const [, heading] = /^Commands that connect with (.*):$/.exec(line) ?? []
    if (heading) login = headings[heading]
    else if (/^\S/.test(line)) login = undefined
    const [, name] = /^ {2}([a-z]+(?:-[a-z]+)*)(?= )/.exec(line) ?? []
    if (name && login) commands.set(name, login)
  }
  return commands
}

/** Resources for the commands. Unknown ids are allowed: a command then says so. */
export interface MaintainSubject {
  readonly tenant: string
  readonly client: string
  readonly user: string
  readonly offering: string
  readonly chain: string
  /** Folder of files that are read and written. */
  readonly files: string
}

/**
 * Returns valid arguments of every command. For one subject, they are in an order in which each can succeed. Leaves out
 * resources for commands about a restore or a move.
 */
export function argumentsOf({
  tenant,
  client,
  user,
  offering,
  chain,
  files,
}: MaintainSubject): Record<string, string[]> {
  const ofTenant = ['--tenant', tenant]
  const person = ['--name', 'Max', '--email', 'max@example.com']
  const west = ['--cell', 'west', '--address', 'postgres://127.0.0.1:1/west']
  return {
    migrate: [],
    'create-tenant': ['--name', 'Second Issuer GmbH', ...inviteTwo],
    'add-user': [...ofTenant, ...person],
    'set-tenant-limits': [...ofTenant, '--credentials', '60'],
    'issue-credential': ofTenant,
    'rotate-credential': [...ofTenant, '--client', client],
    'create-signer': [...ofTenant, '--chain', chain],
    'show-signer': [...ofTenant, '--chain', chain],
    'catch-up-signer': [...ofTenant, '--chain', chain],
    reconcile: [...ofTenant, '--offering', offering],
    holders: [...ofTenant, '--offering', offering],
    'import-statement': [...ofTenant, '--file', `${files}/statement.xml`],
    'rebuild-summaries': ofTenant,
    'rebuild-search-terms': ofTenant,
    'verify-audit': ofTenant,
    'break-glass': [...ofTenant, '--user', user],
    'remove-passkeys': [...ofTenant, '--user', user],
    'rewrap-data-keys': ['--all'],
    'rotate-data-key': ofTenant,
    'list-cells': [],
    'set-cell-state': ['--cell', 'main', '--state', 'open'],
    'list-moves': [],
    'export-tenant': [...ofTenant, '--folder', `${files}/export`],
    'set-provider': ofTenant,
    'disable-credential': [...ofTenant, '--client', client],
    'disable-tenant': ofTenant,
    'enable-tenant': ofTenant,
    'resume-payouts': [...ofTenant, '--reason', 'the bank has executed nothing'],
    'after-restore': ['--cell', 'west', '--to', '2026-07-02T00:00:00Z'],
    'move-tenant': [...ofTenant, '--to', 'west', '--dry-run'],
    'finish-move': ofTenant,
    'drain-cell': ['--cell', 'west', '--to', 'main'],
    'serve-copy': [...ofTenant, '--cell', 'west'],
    'add-cell': west,
  }
}

/** Two people, whom a new tenant needs. */
export const inviteTwo = ['--invite', 'Ada <ada@example.com>', '--invite', 'Grace <grace@example.com>']

/** The commands of an installation with one identity provider, as its administrator runs them. */
export function administratorOf(databaseUrl: () => string) {
  const settings = () => ({
    ...testKeys,
    DATABASE_URL: databaseUrl(),
    OIDC_PROVIDERS: 'acme=https://id.example.com',
    OIDC_CLIENT_IDS: 'acme=investor-token',
    OIDC_CLIENT_SECRETS: `acme=${'s'.repeat(32)}`,
  })
  const maintain = (command: string | readonly string[]) => runMaintain(command, settings())
  const maintainJson = (command: string | readonly string[]) => runMaintainJson(command, settings())
  const createTenant = async (name: string): Promise<string> =>
    (await maintainJson(['create-tenant', '--name', name, ...inviteTwo])).tenant_id
  return { maintain, maintainJson, createTenant }
}
