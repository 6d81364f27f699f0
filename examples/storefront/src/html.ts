/** Escaped HTML. Only the `html` tag creates it, so no unescaped text can get into a page. */
class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type { Html }

export type Content = Html | string | number | bigint | false | null | undefined | readonly Content[]

/** A template tag that escapes its values. False, null and undefined become an empty string. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(strings.reduce((text, string, index) => text + escapeHtml(values[index - 1]) + string))
}

function escapeHtml(content: Content): string {
  if (content instanceof Html) return content.text
  if (content === false || content === null || content === undefined) return ''
  if (typeof content === 'object') return content.map(escapeHtml).join('')
  return String(content).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
