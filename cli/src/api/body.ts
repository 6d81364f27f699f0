import { readFileSync } from 'node:fs'
import { usageFailure } from '../base/failure.ts'
import type { BodyMember } from '../base/operation-facts.ts'
import { readAllOfStdin } from '../base/terminal.ts'

export type Json = Record<string, unknown>

/** The body that flags and --data make together: a flag changes one member of what the file says. */
export async function bodyOf(data: string | undefined, flags: readonly [BodyMember, string][]): Promise<Json> {
  const body = data === undefined ? {} : parse(await textOf(data), data)
  for (const [{ path, kind }, text] of flags) setMember(body, path, memberValue(text, kind))
  return body
}

async function textOf(data: string): Promise<string> {
  if (data === '-') return readAllOfStdin()
  if (!data.startsWith('@')) return data
  const file = data.slice(1)
  if (file === '-') return readAllOfStdin()
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw usageFailure(
      `The file ${file} cannot be read.`,
      'Give --data @file.json, --data - for stdin, or the JSON itself.',
    )
  }
}

/** The text itself is not repeated in the refusal: it holds what people typed into forms. */
function parse(text: string, data: string): Json {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {}
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json
  const what = data.startsWith('@') ? `The file ${data.slice(1)}` : 'What --data gives'
  throw usageFailure(`${what} is not a JSON object.`, 'Give --data @file.json, --data - for stdin, or the JSON itself.')
}

function setMember(body: Json, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    body[name] = value
    return
  }
  const inner = body[name]
  if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) body[name] = {}
  setMember(body[name] as Json, rest, value)
}

function memberValue(text: string, kind: BodyMember['kind']): unknown {
  if (kind === 'boolean') return text === 'true'
  return kind === 'integer' ? Number(text) : text
}
