import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

type Texts = { readonly [key: string]: string | Texts }

const textsOf = (language: string): Texts =>
  JSON.parse(readFileSync(new URL(`../src/text/${language}.json`, import.meta.url), 'utf8'))

/** Returns every key with the values that its text takes, such as `orders.late {{units}}`. */
const keysIn = (texts: Texts, path = ''): string[] =>
  Object.entries(texts).flatMap(([key, text]) =>
    typeof text === 'string'
      ? [
          `${path}${key} ${[...text.matchAll(/\{\{\w+\}\}/g)]
            .map(([value]) => value)
            .toSorted()
            .join(' ')}`,
        ]
      : keysIn(text, `${path}${key}.`),
  )

test('every text exists in English and German, in the same order and with the same values', () => {
  assert.deepEqual(keysIn(textsOf('de')), keysIn(textsOf('en')))
})
