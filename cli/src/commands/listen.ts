import type { Event } from '@investor-token/sdk'
import type { Command } from 'commander'
import { aboutOf } from '../api/about-event.ts'
import { usageFailure } from '../base/failure.ts'
import { eventTypes } from '../base/generated/operations.ts'
import { host } from '../base/host.ts'
import { escapeControlCharacters, note, paint, print } from '../base/terminal.ts'
import { type Delivery, deliver, echoesChallenge } from '../events/deliver.ts'
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
  leaf(program, 'listen', 'Forward events to a local webhook endpoint', [
    'listen --forward-to http://localhost:3000/webhooks',
    'listen --forward-to http://localhost:3000/webhooks --types order.minted,order.cancelled --from-sequence 1',
  ])
    .description(
      'Forward events to a local webhook endpoint.\n\nFollows the events of your tenant and posts each to your ' +
        'endpoint as a Standard Webhooks message, signed with the webhook secret of the profile. First checks ' +
        'whether the endpoint echoes a challenge, as the service does. Starts with new ' +
        'events, or at --from-sequence. Gives up on an event after four attempts and continues with the next. ' +
        'Stop it with Ctrl-C.',
    )
    .requiredOption('--forward-to <url>', 'the URL of your endpoint')
    .addOption(typesOption())
    .option('--from-sequence <number>', 'start with this event instead of new events', sequenceNumber)
    .action(listen)
}

export function addTail(events: Command): void {
  leaf(events, 'tail', 'Follow events as they happen', [
    'events tail',
    'events tail --types order.created,order.minted --from-sequence 1 --json',
  ])
    .addOption(typesOption())
    .option('--from-sequence <number>', 'start with this event instead of new events', sequenceNumber)
    .action(tail)
}

async function listen(options: FollowOptions & { forwardTo: string }): Promise<void> {
  const url = webUrl(options.forwardTo)
  const profile = currentProfile(options)
  const client = openClient(profile, options)
  const after = options.fromSequence === undefined ? await lastSequence(client) : options.fromSequence - 1
  note(`Forwarding to ${url}. Stop with Ctrl-C.`)
  note(`Webhook secret: ${profile.webhook_secret}`)
  if (!(await echoesChallenge(url, profile.webhook_secret)))
    note('Your endpoint did not echo the challenge of endpoint.verification. The service will not send events to it.')
  for await (const event of followEvents(client, { after, types: typesOf(options) })) {
    const delivery = await deliver(event, url, profile.webhook_secret)
    if (options.json) print(toJson({ event_id: event.id, sequence: event.sequence, type: event.type, ...delivery }, 0))
    else print(`${lineOf(event)}  ${resultOf(delivery)}`)
  }
}

async function tail(options: FollowOptions): Promise<void> {
  const client = openClient(currentProfile(options), options)
  const after = options.fromSequence === undefined ? await lastSequence(client) : options.fromSequence - 1
  note(paint('dim', `Waiting for events after sequence ${after}. Stop with Ctrl-C.`, host().stderr))
  for await (const event of followEvents(client, { after, types: typesOf(options) }))
    print(options.json ? toJson(event, 0) : lineOf(event))
}

const typeWidth = Math.max(...eventTypes.map((type) => type.length))

function lineOf({ sequence, created_at, type, data }: Event): string {
  const time = created_at.slice(11, 19)
  return escapeControlCharacters(
    `${time}  ${String(sequence).padStart(5)}  ${type.padEnd(typeWidth)}  ${aboutOf(data)}`,
  )
}

function resultOf({ status, reason, attempts, durationMs }: Delivery): string {
  const isDelivered = status !== undefined && status >= 200 && status < 300
  const count = attempts === 1 ? '' : `, ${attempts} attempts`
  const result = `[${status ?? escapeControlCharacters(reason ?? 'no response')}] ${durationMs} ms${count}`
  return isDelivered ? paint('green', result) : paint('red', `${result}, gave up`)
}

/** Validates event types, because commander does not support comma-separated choices. */
function typesOf({ types = [] }: FollowOptions): string[] {
  const wanted = types.flatMap((some) => some.split(','))
  const unknown = wanted.find((type) => !(eventTypes as readonly string[]).includes(type))
  if (unknown !== undefined)
    throw usageFailure(`Unknown event type ${unknown}.`, 'List the event types: investor-token trigger --list')
  return wanted
}

function webUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.href
  throw usageFailure('--forward-to must be an http or https URL, such as http://localhost:3000/webhooks.')
}
