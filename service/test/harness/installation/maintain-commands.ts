import { startMaintain } from './process.ts'

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
  const help = startMaintain([], {})
  await help.ended
  const commands = new Map<string, MaintainLogin>()
  let login: MaintainLogin | undefined
  for (const line of help.output) {
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
  const two = ['--invite', 'Una <una@example.com>', '--invite', 'Uwe <uwe@example.com>']
  const west = ['--cell', 'west', '--address', 'postgres://127.0.0.1:1/west']
  return {
    migrate: [],
    'create-tenant': ['--name', 'Second Issuer GmbH', ...two],
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
