export interface BarGroup {
  readonly title: string
  readonly bars: readonly { readonly name: string; readonly value: number }[]
}

const [width, left, barHeight, groupHeight] = [760, 150, 26, 40] as const

/** Draws groups of horizontal bars as SVG. Each group has its own scale, and each bar has its figure beside it. */
export function barChart(groups: readonly BarGroup[]): string {
  let y = 10
  const parts = groups.map(({ title, bars }) => {
    const most = Math.max(...bars.map(({ value }) => value))
    const head = `<text x="${left}" y="${y + 14}" font-weight="bold">${title}</text>`
    y += groupHeight / 2 + 4
    const drawn = bars.map(({ name, value }) => {
      const length = ((width - left - 90) * value) / most
      const middle = y + barHeight / 2 + 1
      const bar = `<rect x="${left}" y="${y}" width="${length.toFixed(1)}" height="${barHeight - 6}" fill="#3b6ea5"/>`
      const texts =
        `<text x="${left - 8}" y="${middle}" text-anchor="end">${name}</text>` +
        `<text x="${(left + length + 6).toFixed(1)}" y="${middle}">${Math.round(value)}</text>`
      y += barHeight
      return bar + texts
    })
    y += groupHeight / 2
    return [head, ...drawn].join('\n')
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" font-family="sans-serif" font-size="12">
<title>${groups.map(({ title }) => title).join('; ')}</title>
<rect width="100%" height="100%" fill="white"/>
${parts.join('\n')}
</svg>
`
}
