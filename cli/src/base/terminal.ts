import type { Writable } from 'node:stream'
import { styleText } from 'node:util'
import { host } from './host.ts'

/** Prints a result to stdout. Nothing else goes to stdout, so that scripts can parse it. */
export function print(text: string): void {
  host().stdout.write(`${text}\n`)
}

/** Prints a message for the user to stderr. */
export function note(text: string): void {
  host().stderr.write(`${text}\n`)
}

type Style = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold'

/** Adds colour if the stream is a terminal and NO_COLOR is not set. */
export function paint(style: Style, text: string, stream: Writable = host().stdout): string {
  return styleText(style, text, { stream, validateStream: true })
}

export function isInteractive(): boolean {
  return host().stdin.isTTY === true && host().stderr.isTTY === true
}

/** Escapes control characters, so that text from the API cannot move the cursor or change colours. */
export function escapeControlCharacters(text: string): string {
  return text.replaceAll(/[^\P{Cc}\t\n]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

export async function readAllOfStdin(): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of host().stdin) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}
