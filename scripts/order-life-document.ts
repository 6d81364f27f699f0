import {
  keepsMoney,
  type OrderStatus,
  orderTransitions,
  reservesUnits,
} from '../service/src/sales/orders/order-status.ts'
import { withSection } from './marked-section.ts'

/** Returns docs/guides/order-life.md with its tables generated from the code, so that the two cannot drift apart. */
export function orderLifeDocument(current: string): string {
  return withSection(current, 'order-life', tables())
}

function tables(): string {
  const states = Object.keys(orderTransitions) as OrderStatus[]
  const all = states.flatMap((from) => orderTransitions[from].map((step) => ({ from, ...step })))
  const arrows = all.map(({ from, to, by }) => `  ${from} --> ${to}: ${by}`)
  const ends = states.filter((state) => orderTransitions[state].length === 0).map((state) => `  ${state} --> [*]`)
  const rows = all.map(({ from, to, by, when, event }) => `| ${from} | ${to} | ${by} | ${when} | \`${event}\` |`)
  const yes = (is: boolean) => (is ? 'yes' : 'no')
  const effects = states.map(
    (state) =>
      `| ${state} | ${state === 'MINTED' ? 'issued' : yes(reservesUnits(state))} | ${yes(keepsMoney(state))} |`,
  )
  return `\`\`\`mermaid
stateDiagram-v2
  [*] --> ORDERED: integrator
${[...arrows, ...ends].join('\n')}
\`\`\`

| from | to | by | when | event |
|---|---|---|---|---|
${rows.join('\n')}

| state | reserves units | keeps money |
|---|---|---|
${effects.join('\n')}`
}
