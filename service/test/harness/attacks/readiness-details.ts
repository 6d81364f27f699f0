import type { Attack } from './attack.ts'
import { send } from './attack-stack.ts'

export const readinessDetails: Attack = {
  name: 'a stranger reads the parts of the installation from /readyz',
  isShort: true,
  run: async (stack) => {
    const { text } = await send(`${(await stack.api()).baseUrl}/readyz`)
    const named = ['redis', 'migration', 'cell', 'directory', 'database'].filter((word) =>
      text.toLowerCase().includes(word),
    )
    const observed = named.length > 0 ? `the response names ${named.join(', ')}` : `the response is ${text}`
    return { isDefended: named.length === 0, observed }
  },
}
