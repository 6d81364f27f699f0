import type { InvestorToken, LoggedRequest } from '@investor-token/sdk'
import { type Command, InvalidArgumentError } from 'commander'
import { host } from '../base/host.ts'
import { interrupted, pause } from '../base/interruption.ts'
import { escapeControlCharacters, note, paint, print } from '../base/terminal.ts'
import { toJson } from '../output/json.ts'
import { pollIntervalMs } from '../session/poll-interval.ts'
import { currentProfile, type GlobalOptions, openClient } from '../session/session.ts'
import { leaf } from './leaf.ts'

interface LogsOptions extends GlobalOptions {
  follow?: boolean
  failed?: boolean
  lines: number
}

export function addLogs(program: Command): void {
  leaf(program, 'logs', 'Show the requests of this credential', [
    'logs',
    'logs --failed --lines 5 --json',
    'logs --follow',
  ])
    .description(
      'Show the requests of this credential.\n\nOldest first, with status, code, duration and request id. Omits the ' +
        'requests that read the log, which would soon fill it; "requests list" includes them.',
    )
    .option('--follow', 'keep showing new requests')
    .option('--failed', 'only requests whose response was an error')
    .option('--lines <number>', 'how many requests to start with, 1 to 50', lineCount, 20)
    .action(logs)
}

async function logs(options: LogsOptions): Promise<void> {
  const client = openClient(currentProfile(options), options)
  const { found, intervalMs } = await latest(client, options)
  for (const one of found.slice(0, options.lines).toReversed()) show(one, options)
  if (found.length === 0 && !options.follow) note(paint('dim', 'No requests.', host().stderr))
  const seen = new Set(found.map(({ id }) => id))
  let waitMs = intervalMs
  while (options.follow && !interrupted.aborted) {
    await pause(waitMs)
    if (interrupted.aborted) return
    const next = await latest(client, options)
    waitMs = next.intervalMs
    for (const one of next.found.filter(({ id }) => !seen.has(id)).toReversed()) show(one, options)
    for (const { id } of next.found) seen.add(id)
  }
}

/** Returns requests, newest first. If more than 50 arrive between two polls, only `requests list` shows the rest. */
async function latest(client: InvestorToken, { failed }: LogsOptions) {
  const { data, headers } = await client.requests.list({ failed, limit: 50, signal: interrupted }).withResponse()
  return { found: data.requests.filter(({ path }) => path !== '/api/requests'), intervalMs: pollIntervalMs(headers) }
}

function show(one: LoggedRequest, { json }: GlobalOptions): void {
  const { responded_at, status, code, duration_ms, method, path, request_id } = one
  const paintedStatus = paint(status < 400 ? 'green' : 'red', String(status))
  const duration = `${Math.round(duration_ms)} ms`.padStart(7)
  const request = escapeControlCharacters(`${method} ${path}${code === null ? '' : `  ${code}`}`)
  const line = `${responded_at.slice(11, 19)}  ${paintedStatus}  ${duration}  ${paint('dim', request_id)}  ${request}`
  print(json ? toJson(one, 0) : line)
}

function lineCount(text: string): number {
  if (!/^\d{1,2}$/.test(text) || Number(text) < 1 || Number(text) > 50)
    throw new InvalidArgumentError('It must be a whole number from 1 to 50.')
  return Number(text)
}
