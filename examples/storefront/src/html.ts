/** Text that is HTML already. Only `html` makes it, so nothing gets into a page without having been escaped. */
class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type { Html }

export type Content = Html | string | number | bigint | false | null | undefined | readonly Content[]

/** A template whose values are escaped; what is false or absent leaves nothing behind. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(strings.reduce((text, string, index) => text + written(values[index - 1]) + string))
}

function written(content: Content): string {
  if (content instanceof Html) return content.text
  if (content === false || content === null || content === undefined) return ''
  if (typeof content === 'object') return content.map(written).join('')
  return String(content).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
