import type { Schemas } from '../api/client.ts'

/** Who did it: a person by name, anything else by kind. */
export function actorText(
  { actor_type: type, actor_id: id }: Pick<Schemas['AuditRecord'], 'actor_type' | 'actor_id'>,
  nameOf: (userId: string | null) => string,
): string {
  return type === 'user' ? nameOf(id) : type
}
