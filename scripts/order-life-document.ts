import { holdsReservation, keepsMoney, type OrderStatus, steps } from '../service/src/sales/orders/order-status.ts'

/** docs/order-life.md: made of the table that the code goes by, so the two cannot drift apart. */
export function orderLifeDocument(): string {
  const states = Object.keys(steps) as OrderStatus[]
  const all = states.flatMap((from) => steps[from].map((step) => ({ from, ...step })))
  const arrows = all.map(({ from, to, by }) => `  ${from} --> ${to}: ${by}`)
  const ends = states.filter((state) => steps[state].length === 0).map((state) => `  ${state} --> [*]`)
  const rows = all.map(({ from, to, by, when, event }) => `| ${from} | ${to} | ${by} | ${when} | \`${event}\` |`)
  const yes = (is: boolean) => (is ? 'yes' : 'no')
  const holds = states.map(
    (state) =>
      `| ${state} | ${state === 'MINTED' ? 'issued' : yes(holdsReservation(state))} | ${yes(keepsMoney(state))} |`,
  )
  return `# The life of an order

Written by \`npm run order-life\` from \`service/src/orders/order-status.ts\`; do not edit. What is not an arrow here is
refused with 409 and changes nothing. Each step is a compare-and-set under the lock of the order's row; units, money and
the event go with it in one transaction.

\`\`\`mermaid
stateDiagram-v2
  [*] --> ORDERED: integrator
${[...arrows, ...ends].join('\n')}
\`\`\`

| from | to | by | when | event |
|---|---|---|---|---|
${rows.join('\n')}

| state | holds units | keeps money |
|---|---|---|
${holds.join('\n')}
`
}
