export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Prints rows in columns; columns of numbers are right-aligned. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  for (const row of [head, widths.map((width) => '-'.repeat(width)), ...rows]) {
    const cells = row.map((cell, column) => {
      const isText = rows.every((one) => !/^[\d.]+$/.test(one[column] ?? ''))
      return isText ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
    })
    say(cells.join('  ').trimEnd())
  }
}
