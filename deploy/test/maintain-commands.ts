import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asOwner } from '../../service/test/harness/installation/database.ts'
import { argumentsOf, type MaintainSubject } from '../../service/test/harness/installation/maintain-commands.ts'
import { camt053 } from '../../service/test/harness/money/camt053.ts'
import type { Stack } from './stack.ts'

export interface CommandResult {
  readonly code: number
  readonly output: string
}

/** Messages, in one sentence, of the commands that have nothing to do in a new installation of one cell. */
const refusals: Record<string, RegExp> = {
  'create-signer': /already has a signer on anvil/,
  'remove-passkeys': /Without an identity provider/,
  'resume-payouts': /are not stopped/,
  'after-restore': /west/,
  'move-tenant': /Cell west does not exist/,
  'finish-move': /./,
  'drain-cell': /Cell west does not exist/,
  'serve-copy': /west/,
  'add-cell': /The database is unavailable/,
}

/** Runs commands of maintain on the tenant of the installation that has a token: all of them unless some are named. */
export async function runCommands(stack: Stack, { maintain, files, names }: Form): Promise<void> {
  writeFileSync(join(files, 'statement.xml'), camt053({ entries: [{ amount: '1.00' }] }))
  const commands = argumentsOf(await subjectIn(stack))
  const problems: string[] = []
  for (const name of names ?? Object.keys(commands)) {
    const { code, output } = await maintain('--json', name, ...(commands[name] ?? []))
    const refusal = refusals[name]
    const isRight = refusal ? code === 1 && refusal.test(output) && output.trim().split('\n').length === 1 : code === 0
    if (!isRight) problems.push(`${name}: ${code} ${output}`)
  }
  assert.deepEqual(problems, [])
}

/**
 * Checks that commands read the settings, the databases and the files of an installation. `files` is the folder that they
 * see at /files.
 */
export async function checkMaintain(maintain: Form['maintain'], files: string): Promise<string> {
  const two = ['--invite', 'Ada Lovelace, {Countess} <ada@example.com>', '--invite', 'Grace <grace@example.com>']
  const tenant = await maintain('--json', 'create-tenant', '--name', 'Harbour Issuer GmbH', ...two)
  assert.equal(tenant.code, 0, tenant.output)
  const { tenant_id: id } = JSON.parse(tenant.output)
  writeFileSync(join(files, 'statement.xml'), camt053({ entries: [{ amount: '1.00' }] }))
  for (const args of [['list-cells'], ['export-tenant', '--tenant', id, '--folder', '/files/export']]) {
    const { code, output } = await maintain(...args)
    assert.equal(code, 0, output)
  }
  // Proves that the file was received and read: the tenant has no offering yet.
  const { output } = await maintain('import-statement', '--tenant', id, '--file', '/files/statement.xml')
  assert.match(output, /is not the collection account of any of your offerings/)
  assert.equal(JSON.parse(readFileSync(join(files, 'export/manifest.json'), 'utf8')).tenant_id, id)
  return id
}

interface Form {
  readonly maintain: (...args: string[]) => Promise<CommandResult>
  /** Folder on this machine that the command sees at /files. */
  readonly files: string
  readonly names?: readonly string[]
}

async function subjectIn(stack: Stack): Promise<MaintainSubject> {
  const { rows } = await asOwner(stack.secrets['OWNER_DATABASE_URL'] ?? '', (client) =>
    client.query(`
      select offering.tenant_id as tenant, offering.id as offering, credential.id as client,
        (select id from directory.operator_user where tenant_id = offering.tenant_id and identity_id is not null
         limit 1) as user
      from cell.offering join directory.credential using (tenant_id)
      where token_deployed_at is not null order by offering.id limit 1`),
  )
  return { ...rows[0], chain: 'anvil', files: '/files' }
}
