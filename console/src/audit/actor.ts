import type { Schemas } from '../api/client.ts'

/** Returns the name of a person, or the kind of any other actor. */
export function actorText(
  { actor_type: type, actor_id: id }: Pick<Schemas['AuditRecord'], 'actor_type' | 'actor_id'>,
  nameOf: (userId: string | null) => string,
): string {
  return type === 'user' ? nameOf(id) : type
}
