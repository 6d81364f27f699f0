import { type Content, type Html, html } from './html.ts'

export function section<Item>(
  title: string,
  items: readonly Item[],
  none: string,
  table: (items: readonly Item[]) => Html,
): Html {
  return html`
    <section class="panel">
      <h2>${title}</h2>
      ${items.length === 0 ? html`<p class="quiet">${none}</p>` : table(items)}
    </section>`
}

export function tableOf(heads: readonly string[], rows: readonly (readonly Content[])[]): Html {
  return html`
    <div class="scroll" tabindex="0">
      <table>
        <thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
        <tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
      </table>
    </div>`
}

/** A status, in the colour of its class. */
export function badge(status: string, label: string = status): Html {
  return html`<span class="badge ${status.toLowerCase()}">${label}</span>`
}

export function shortHash(hash: string): string {
  return `${hash.slice(0, 6)}…${hash.slice(-4)}`
}

export function showMoment(moment: string): string {
  return new Date(moment).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
}
