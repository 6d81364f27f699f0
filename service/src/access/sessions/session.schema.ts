import { Type } from 'typebox'
import { Named, orNull, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'

export const SessionPath = Type.Object({ userId: Uuid('The user.'), sessionId: Uuid('The session.') })

export const Session = Named('Session', {
  id: Uuid('The session.'),
  is_current: Type.Boolean({ description: 'Whether this request belongs to it.' }),
  is_break_glass: Type.Boolean({ description: 'An emergency sign-in, which cannot confirm anything for 24 hours.' }),
  user_agent: Type.String({ description: 'The browser, as it names itself.', examples: ['Mozilla/5.0'] }),
  source_address: Type.String({ description: 'The address of the sign-in.', examples: ['192.0.2.1'] }),
  created_at: Timestamp('When the person signed in.'),
  last_seen_at: Timestamp('When it was last used, to the minute.'),
  expires_at: Timestamp('When it ends, however active it is.'),
  revoked_at: orNull(Timestamp('When it was ended.'), { examples: [null] }),
})
