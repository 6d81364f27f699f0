import { readFileSync } from 'node:fs'
import { usageFailure } from '../base/failure.ts'
import { pathOf } from '../base/host.ts'
import type { BodyMember } from '../base/operation-description.ts'
import { readAllOfStdin } from '../base/terminal.ts'

export type Json = Record<string, unknown>

/** Builds the body from --data and the flags. Each flag sets one member and overrides --data. */
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
    return readFileSync(pathOf(file), 'utf8')
  } catch {
    throw usageFailure(
      `Cannot read the file ${file}.`,
      'Use --data @file.json, --data - for stdin, or --data with the JSON itself.',
    )
  }
}

/** The error does not quote the text, because it may contain personal data. */
function parse(text: string, data: string): Json {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {}
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json
  const source = data.startsWith('@') ? `The file ${data.slice(1)}` : 'The value of --data'
  throw usageFailure(
    `${source} must be a JSON object.`,
    'Use --data @file.json, --data - for stdin, or --data with the JSON itself.',
  )
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
  switch (kind) {
    case 'boolean':
      return text === 'true'
    case 'integer':
    case 'number':
      return Number(text)
    case 'list':
      return text === '' ? [] : text.split(',')
    case 'json':
      return parseValue(text)
    case 'text':
      return text
  }
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw usageFailure('The value of a flag that takes JSON is not valid JSON.', 'Or use --data with the whole body.')
  }
}
