import type { InvestorToken, LoggedRequest } from '@investor-token/sdk'
import { type Command, InvalidArgumentError } from 'commander'
import { interrupted, pause } from '../base/interruption.ts'
import { harmless, note, paint, print } from '../base/terminal.ts'
import { toJson } from '../output/json.ts'
import { paceOf } from '../session/pace.ts'
import { currentProfile, type GlobalOptions, openClient } from '../session/session.ts'
import { leaf } from './leaf.ts'

interface LogsOptions extends GlobalOptions {
  follow?: boolean
  refused?: boolean
  lines: number
}

export function addLogs(program: Command): void {
  leaf(program, 'logs', 'Show what this credential has asked for', [
    'logs',
    'logs --refused --lines 5 --json',
    'logs --follow',
  ])
    .description(
      'Show what this credential has asked for.\n\nThe oldest first, with status, code, duration and request id. ' +
        'Looking at the log is left out, since it would show nothing else soon: "requests list" shows that too.',
    )
    .option('--follow', 'go on with those that come')
    .option('--refused', 'only those that were answered by an error')
    .option('--lines <number>', 'how many to begin with, 1 to 50', lineCount, 20)
    .action(logs)
}

async function logs(options: LogsOptions): Promise<void> {
  const client = openClient(currentProfile(options), options)
  const { found, paceMs } = await latest(client, options)
  for (const one of found.slice(0, options.lines).toReversed()) show(one, options)
  if (found.length === 0 && !options.follow) note(paint('dim', 'There are none.', process.stderr))
  const seen = new Set(found.map(({ id }) => id))
  let waitMs = paceMs
  while (options.follow && !interrupted.aborted) {
    await pause(waitMs)
    if (interrupted.aborted) return
    const next = await latest(client, options)
    waitMs = next.paceMs
    for (const one of next.found.filter(({ id }) => !seen.has(id)).toReversed()) show(one, options)
    for (const { id } of next.found) seen.add(id)
  }
}

/** Newest first. A page has 50; what is more than that between two looks is in `requests list`. */
async function latest(client: InvestorToken, { refused }: LogsOptions) {
  const { data, headers } = await client.requests.list({ refused, limit: 50, signal: interrupted }).withResponse()
  return { found: data.requests.filter(({ path }) => path !== '/api/requests'), paceMs: paceOf(headers) }
}

function show(one: LoggedRequest, { json }: GlobalOptions): void {
  const { answered_at, status, code, duration_ms, method, path, request_id } = one
  const verdict = paint(status < 400 ? 'green' : 'red', String(status))
  const duration = `${Math.round(duration_ms)} ms`.padStart(7)
  const what = `${method} ${path}${code === null ? '' : `  ${code}`}`
  const line = `${answered_at.slice(11, 19)}  ${verdict}  ${duration}  ${paint('dim', request_id)}  ${harmless(what)}`
  print(json ? toJson(one, 0) : line)
}

function lineCount(text: string): number {
  if (!/^\d{1,2}$/.test(text) || Number(text) < 1 || Number(text) > 50)
    throw new InvalidArgumentError('It is a whole number from 1 to 50.')
  return Number(text)
}
