import type { Command } from 'commander'
import { readEnvironment } from '../base/environment.ts'
import { exitCodes, Failure } from '../base/failure.ts'
import { note, print } from '../base/terminal.ts'
import { toJson } from '../output/json.ts'
import { type Column, rowsTable } from '../output/table.ts'
import { readProfiles, writeProfiles } from '../session/profiles.ts'
import { type GlobalOptions, profileName } from '../session/session.ts'
import { leaf } from './leaf.ts'

export function addLogout(program: Command): void {
  leaf(program, 'logout', 'Delete the stored credential of a profile', ['logout --profile staging']).action(logout)
  leaf(program, 'profiles', 'List the profiles', ['profiles', 'profiles --json']).action(showProfiles)
}

function logout(options: GlobalOptions): void {
  const { configFile } = readEnvironment()
  const name = profileName(options)
  const { [name]: removed, ...others } = readProfiles(configFile)
  if (!removed)
    throw new Failure(
      exitCodes.notPermitted,
      `Profile "${name}" does not exist.`,
      'List the profiles: investor-token profiles',
    )
  writeProfiles(configFile, others)
  note(`Deleted profile "${name}". The credential itself is still valid; an admin can disable it.`)
}

function showProfiles(options: GlobalOptions): void {
  const rows = Object.entries(readProfiles(readEnvironment().configFile)).map(([name, profile]) => ({
    name,
    base_url: profile.base_url,
    client_id: profile.client_id,
    scopes: profile.scopes,
  }))
  if (options.json) print(toJson(rows))
  else if (rows.length === 0) note('No profiles. Run: investor-token login')
  else print(rowsTable(rows, profileColumns))
}

const profileColumns: readonly Column[] = [
  ['NAME', 'name'],
  ['BASE URL', 'base_url'],
  ['CREDENTIAL', 'client_id'],
]
