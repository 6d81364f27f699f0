import { useState } from 'react'

/** Kept in memory only: a draft may be personal data, which must not outlive the session in the browser's storage. */
const drafts = new Map<string, string>()

/** Keeps a text while the person visits another screen. */
export function useDraft(key: string): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(() => drafts.get(key) ?? '')
  return [
    text,
    (next) => {
      if (next) drafts.set(key, next)
      else drafts.delete(key)
      setText(next)
    },
  ]
}
