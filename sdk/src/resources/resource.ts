import type { Call } from '../call.ts'
import type { Responses } from '../generated/schemas.ts'
import { List, type Page } from '../list.ts'
import type { ListOptions } from '../options.ts'
import type { OperationInput, OperationName, Transport } from '../transport.ts'

type ListName = { [Name in OperationName]: Responses[Name] extends Page<unknown> ? Name : never }[OperationName]

/** Page size of lists that have a cursor instead of an offset. */
export const limitDefault = 50

/** Operations of one kind of resource. */
export abstract class Resource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  protected call<Name extends OperationName>(name: Name, input?: OperationInput): Call<Responses[Name]> {
    return this.#transport.call(name, input)
  }

  /** Returns a list with offsets. */
  protected pages<Name extends ListName>(
    name: Name,
    list: ListOptions | undefined,
    { params = {}, query = {} }: Pick<OperationInput, 'params' | 'query'> = {},
  ): List<Responses[Name]> {
    return new List(
      ({ limit, offset, direction, ...options }) =>
        this.call(name, { params, query: { limit, offset, direction, ...query }, options }),
      list,
    )
  }
}
