import type { Event } from '@investor-token/sdk'
import type { Command } from 'commander'
import { aboutOf } from '../api/api-commands.ts'
import { usageFailure } from '../base/failure.ts'
import { eventTypes } from '../base/generated/operations.ts'
import { harmless, note, paint, print } from '../base/terminal.ts'
import { type Delivery, deliver } from '../events/deliver.ts'
import { followEvents, lastSequence } from '../events/follow-events.ts'
import { toJson } from '../output/json.ts'
import { currentProfile, type GlobalOptions, openClient } from '../session/session.ts'
import { sequenceNumber, typesOption } from './event-options.ts'
import { leaf } from './leaf.ts'

interface FollowOptions extends GlobalOptions {
  types?: string[]
  fromSequence?: number
}

export function addListen(program: Command): void {
  leaf(program, 'listen', 'Bring webhooks to this machine', [
    'listen --forward-to http://localhost:3000/webhooks',
    'listen --forward-to http://localhost:3000/webhooks --types order.minted,order.cancelled --from-sequence 1',
  ])
    .description(
      'Bring webhooks to this machine.\n\nFollows the events of your tenant and posts each to an address of yours ' +
        'as a Standard Webhooks message, signed with a secret that stays the same for the profile. Begins now, or ' +
        'where --from-sequence says. Tries four times, then goes on with the next. Ctrl-C ends it.',
    )
    .requiredOption('--forward-to <url>', 'where your endpoint is')
    .addOption(typesOption())
    .option('--from-sequence <number>', 'begin with this event instead of now', sequenceNumber)
    .action(listen)
}

export function addTail(events: Command): void {
  leaf(events, 'tail', 'Follow events as they happen', [
    'events tail',
    'events tail --types order.created,order.minted --from-sequence 1 --json',
  ])
    .addOption(typesOption())
    .option('--from-sequence <number>', 'begin with this event instead of now', sequenceNumber)
    .action(tail)
}

async function listen(options: FollowOptions & { forwardTo: string }): Promise<void> {
  const url = webAddress(options.forwardTo)
  const profile = currentProfile(options)
  const client = openClient(profile, options)
  const after = options.fromSequence === undefined ? await lastSequence(client) : options.fromSequence - 1
  note(`Forwarding to ${url}. Ctrl-C ends it.`)
  note(`The secret of your endpoint is ${profile.webhook_secret}`)
  for await (const event of followEvents(client, { after, types: typesOf(options) })) {
    const delivery = await deliver(event, url, profile.webhook_secret)
    if (options.json) print(toJson({ event_id: event.id, sequence: event.sequence, type: event.type, ...delivery }, 0))
    else print(`${lineOf(event)}  ${verdictOf(delivery)}`)
  }
}

async function tail(options: FollowOptions): Promise<void> {
  const client = openClient(currentProfile(options), options)
  const after = options.fromSequence === undefined ? await lastSequence(client) : options.fromSequence - 1
  note(paint('dim', `Waiting for events behind ${after}. Ctrl-C ends it.`, process.stderr))
  for await (const event of followEvents(client, { after, types: typesOf(options) }))
    print(options.json ? toJson(event, 0) : lineOf(event))
}

const typeWidth = Math.max(...eventTypes.map((type) => type.length))

function lineOf({ sequence, created_at, type, data }: Event): string {
  const time = created_at.slice(11, 19)
  return harmless(`${time}  ${String(sequence).padStart(5)}  ${type.padEnd(typeWidth)}  ${aboutOf(data)}`)
}

function verdictOf({ status, reason, attempts, durationMs }: Delivery): string {
  const isDelivered = status !== undefined && status >= 200 && status < 300
  const tries = attempts === 1 ? '' : `, ${attempts} attempts`
  const verdict = `[${status ?? harmless(reason ?? 'no answer')}] ${durationMs} ms${tries}`
  return isDelivered ? paint('green', verdict) : paint('red', `${verdict}, given up`)
}

/** Checked here and not by commander, which knows of no list with commas. */
function typesOf({ types = [] }: FollowOptions): string[] {
  const wanted = types.flatMap((some) => some.split(','))
  const unknown = wanted.find((type) => !(eventTypes as readonly string[]).includes(type))
  if (unknown !== undefined)
    throw usageFailure(`There is no event type ${unknown}.`, 'Those that there are: investor-token trigger --list')
  return wanted
}

function webAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.href
  throw usageFailure('--forward-to is a web address, such as http://localhost:3000/webhooks.')
}
