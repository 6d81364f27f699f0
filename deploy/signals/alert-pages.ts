import { burnRates, failuresMin, objectives } from './objectives.ts'
import { alerts, pageName } from './rules.ts'
import { type Alert, conditionOf, type Objective, TimeScale } from './signal.ts'

/** Returns one page for each alert, and a list of them, by their file names in docs/operations/alerts. */
export function alertPages(): Map<string, string> {
  const pages = [...objectives.map(objectivePage), ...alerts.map(alertPage)]
  return new Map([['README.md', listOfAlerts()], ...pages])
}

const origin = '`npm run generate -- site` writes this page.'

function objectivePage({ name, summary, meaning, description, target, steps, failed }: Objective): [string, string] {
  const rates = burnRates.map(
    ({ severity, factor, short, long }) =>
      `- ${severity}: the budget burns ${factor} times too fast, over ${new TimeScale().duration(short)} and ${new TimeScale().duration(long)}`,
  )
  return [
    pageName(name),
    page(name, [
      summary,
      meaning,
      `Objective: ${description}: ${Number((target * 100).toPrecision(4))} % over 30 days, for each cell.`,
      rates.join('\n'),
      ...(failed ? [`Fewer than ${failuresMin} failures in the longer time alert no one.`] : []),
      '## What to do',
      numbered(steps),
    ]),
  ]
}

function alertPage(alert: Alert): [string, string] {
  const { name, severity, summary, meaning, steps, for: pause, panel } = alert
  const time = new TimeScale()
  const condition = `\`\`\`promql\n${conditionOf(alert, time)}\n\`\`\``
  const pauseText = pause > 0 ? `True for ${time.duration(pause)}` : 'At once'
  return [
    pageName(name),
    page(name, [
      summary,
      meaning,
      `Severity: ${severity}. ${pauseText}. Panel "${panel.title}" on the dashboard "${panel.dashboard}".`,
      condition,
      '## What to do',
      numbered(steps),
    ]),
  ]
}

function page(name: string, parts: readonly string[]): string {
  return `${[`# ${name}`, ...parts, origin].join('\n\n')}\n`
}

function numbered(steps: readonly string[]): string {
  return steps.map((step, index) => `${index + 1}. ${linked(step)}`).join('\n')
}

/** Turns the names of pages of this documentation into links. */
function linked(text: string): string {
  return text.replace(/`([a-z-]+\.md)`/g, '[$1](../$1)')
}

function listOfAlerts(): string {
  const budget = objectives.map(({ name, summary }) => `| [${name}](${pageName(name)}) | page, ticket | ${summary} |`)
  const rows = alerts
    .toSorted((one, other) => one.severity.localeCompare(other.severity))
    .map(({ name, severity, summary }) => `| [${name}](${pageName(name)}) | ${severity} | ${summary} |`)
  return page('Alerts', [
    'A page wakes someone: users notice the problem now, or money or tokens are at risk. A ticket waits for the morning. The watchdog always fires, for a receiver that notices its absence. Causes are tickets, so that one failure pages once.',
    ['| alert | severity | when |', '|---|---|---|', ...budget, ...rows].join('\n'),
  ])
}
