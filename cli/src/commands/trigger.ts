import { AbortError, type Event } from '@investor-token/sdk'
import { type Command, InvalidArgumentError } from 'commander'
import { exitCodes, Failure, usageFailure } from '../base/failure.ts'
import { interrupted, pause } from '../base/interruption.ts'
import { print } from '../base/terminal.ts'
import { lastSequence } from '../events/follow-events.ts'
import { hasMintFailure, type Recipe, recipes } from '../events/trigger-recipes.ts'
import { stopMintFailure, type TriggerContext } from '../events/trigger-steps.ts'
import { toJson } from '../output/json.ts'
import { objectTable, rowsTable } from '../output/table.ts'
import { runTasks, type Task } from '../output/tasks.ts'
import { pollIntervalMs } from '../session/poll-interval.ts'
import { currentProfile, type GlobalOptions, openClient } from '../session/session.ts'
import { leaf } from './leaf.ts'

interface TriggerOptions extends GlobalOptions {
  offering?: string
  list?: boolean
  timeout: number
}

export function addTrigger(program: Command): void {
  const command = leaf(program, 'trigger', 'Trigger an event (development only)', [
    'trigger order.created',
    'trigger order.minted --offering "$OFFERING" --json',
    'trigger --list',
  ])
  const argument = command.createArgument('[event]', 'the type of the event')
  // Commander does not validate the type, so that our error can explain why an event cannot be triggered.
  argument.argChoices = triggerable().map(([type]) => type)
  command
    .description(
      'Trigger an event (development only).\n\nRuns the steps that lead to it, such as an account, an order and a ' +
        'payment, and waits for the event. Uses the first open offering.',
    )
    .addArgument(argument)
    .option('--offering <id>', 'use this offering')
    .option('--list', 'list which events can be triggered, and why the others cannot')
    .option('--timeout <seconds>', 'how long to wait for the event', seconds, 120)
    .action(trigger)
}

function triggerable(): [string, Recipe][] {
  return Object.entries(recipes).flatMap(([type, recipe]) =>
    typeof recipe === 'string' ? [] : [[type, recipe] as [string, Recipe]],
  )
}

async function trigger(type: string | undefined, options: TriggerOptions): Promise<void> {
  if (type === undefined || options.list) return showList(options)
  const recipe = Object.hasOwn(recipes, type) ? recipes[type as keyof typeof recipes] : undefined
  if (recipe === undefined)
    throw usageFailure(`Unknown event type ${type}.`, 'List the event types: investor-token trigger --list')
  if (typeof recipe === 'string') throw usageFailure(`${type} cannot be triggered: ${recipe}.`)

  const client = openClient(currentProfile(options), options)
  const since = await lastSequence(client)
  const offering = options.offering === undefined ? undefined : await client.offerings.get(options.offering)
  const none = { accountId: '', orderId: '', walletId: '', transferId: '', distributionId: '' }
  const context: TriggerContext = { client, offering, ...none }
  let event: Event | undefined
  const waitFor = (wanted: string): Task => ({
    title: `wait for ${wanted}`,
    run: async () => {
      event = await waitForEvent(context, { type: wanted, since, timeoutMs: options.timeout * 1000 })
    },
  })
  const tasksOf = (steps: Recipe['steps']) => steps.map(({ title, run }): Task => ({ title, run: () => run(context) }))
  const { steps, afterwards } = recipe
  try {
    await runTasks([
      ...tasksOf(steps),
      ...(afterwards ? [waitFor(afterwards.event), ...tasksOf(afterwards.steps)] : []),
      waitFor(type),
    ])
  } finally {
    if (hasMintFailure(recipe) && context.offering) await stopMintFailure(context)
  }
  if (event) print(options.json ? toJson(event) : objectTable({ ...event }))
}

/** Waits for the event of a resource created by this command; other events may occur at the same time. */
async function waitForEvent(
  { client, accountId, orderId, walletId, transferId, distributionId }: TriggerContext,
  { type, since, timeoutMs }: { type: string; since: number; timeoutMs: number },
): Promise<Event> {
  const ours = [accountId, orderId, walletId, transferId, distributionId].filter((id) => id !== '')
  const deadline = performance.now() + timeoutMs
  let after = since
  while (performance.now() < deadline) {
    const { data, headers } = await client.events.list({ after, type, signal: interrupted }).withResponse()
    const found = data.events.find((event) => Object.values(event.data).some((id) => ours.includes(String(id))))
    if (found) return found
    after = data.events.at(-1)?.sequence ?? after
    if (data.next === null) await pause(pollIntervalMs(headers))
    if (interrupted.aborted) throw new AbortError('Interrupted.')
  }
  throw new Failure(
    exitCodes.failed,
    `${type} did not occur within ${timeoutMs / 1000} s.`,
    'Check that the worker and, for chain events, the indexer are running. List the events: investor-token events list',
  )
}

function showList(options: GlobalOptions): void {
  const rows = Object.entries(recipes).map(([event, recipe]) => ({
    event,
    how: typeof recipe === 'string' ? `- ${recipe}` : titlesOf(recipe).join(', '),
  }))
  print(
    options.json
      ? toJson(triggerable().map(([type]) => type))
      : rowsTable(rows, [
          ['EVENT', 'event'],
          ['HOW', 'how'],
        ]),
  )
}

function titlesOf({ steps, afterwards }: Recipe): string[] {
  return [...steps, ...(afterwards?.steps ?? [])].map(({ title }) => title)
}

function seconds(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of seconds.')
  return Number(text)
}
