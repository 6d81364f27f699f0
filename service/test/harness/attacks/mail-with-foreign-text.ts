import type { Attack } from './attack.ts'

/** The name opens the mail that invites a user: a stranger would read our sender and the attacker's text. */
export const mailWithForeignText: Attack = {
  name: 'an invited name with line breaks and a link',
  isShort: true,
  run: async (stack) => {
    const admin = await stack.admin(await stack.tenant())
    const name = 'Ada,\r\n\r\nyour account was locked. Sign in at https://evil.example to unlock it.\r\n'
    const { status } = await admin.post('/users', { name, email: 'victim@example.com', role: 'viewer' })
    return { isDefended: status === 400, observed: `the response is ${status}` }
  },
}
