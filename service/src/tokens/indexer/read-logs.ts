import pLimit from 'p-limit'
import { type Abi, type Address, encodeEventTopics, getAddress, type Hash, type Hex, zeroAddress } from 'viem'
import { type Chain, ChainUnavailable } from '../chain/chain.ts'
import { deskAbi, idFromBytes32, tokenAbi } from '../chain/contracts.ts'
import type { Log } from '../chain/log-requests.ts'
import type { TokenLog } from '../logs/token-log.sql.ts'
import type { IndexedToken } from './indexed-token.sql.ts'
import { readBlockLogs } from './read-block-logs.ts'
import type { ReceiptReads } from './receipt-reads.ts'

export type LogsByTenant = ReadonlyMap<string, readonly TokenLog[]>

export interface ReadLogs {
  /** Logs of readable tokens by tenant, in the order of the chain. */
  readonly logs: LogsByTenant
  /** The tokens whose logs the node did not return; empty for several blocks. */
  readonly unreadable: readonly IndexedToken[]
  /** All logs that the node returned. */
  readonly count: number
}

type BlockRange = { from: bigint; to: bigint } | { blockHash: Hash; timestamp: Date }

// Common nodes accept this many addresses in one call.
const addressesMax = 500

/**
 * Reads the logs of these tokens and their desks in the given blocks. Throws ResponseTooLarge if several blocks have
 * too many. If one block has too many, returns the readable ones.
 */
export async function readLogs(
  chain: Chain,
  tokens: readonly IndexedToken[],
  range: BlockRange,
  receipts?: ReceiptReads,
): Promise<ReadLogs> {
  const where = 'blockHash' in range ? { blockHash: range.blockHash } : range
  const isOneBlock = 'blockHash' in where || where.from === where.to
  const addresses = [...new Set(tokens.flatMap(({ token, desk }) => (desk ? [token, desk] : [token])))]
  const found: Log[] = []
  const unread = new Set<Address | ''>()
  for (let first = 0; first < addresses.length; first += addressesMax) {
    const page = addresses.slice(first, first + addressesMax)
    const { logs, unreadable } = isOneBlock
      ? await readBlockLogs(chain, page, { where, topics: eventTopics, receipts })
      : { logs: await chain.logs(page, where, eventTopics), unreadable: [] }
    for (const log of logs) found.push(log)
    for (const address of unreadable) unread.add(address)
  }
  if (isOneBlock || addresses.length > addressesMax) found.sort(byPosition)
  const unreadable = tokens.filter(({ token, desk }) => unread.has(token) || unread.has(desk))
  const readable = tokens.filter((token) => !unreadable.includes(token))
  const timeOf = 'blockHash' in range ? () => range.timestamp : await timesOf(chain, found)
  return { logs: logsByTenant(found, readable, timeOf), unreadable, count: found.length }
}

function logsByTenant(found: readonly Log[], tokens: readonly IndexedToken[], timeOf: (log: Log) => Date) {
  const tokenAt = new Map(tokens.map((token) => [token.token, token]))
  const logs = new Map<string, TokenLog[]>()
  const checksummed = checksummedOnce()
  for (const raw of found) {
    const read = logOf(raw, { tokenAt, timeOf, checksummed })
    if (!read) continue
    const ofTenant = logs.get(read.tenantId)
    if (ofTenant) ofTenant.push(read.log)
    else logs.set(read.tenantId, [read.log])
  }
  return logs
}

const topicOf = (abi: Abi, eventName: string) => encodeEventTopics({ abi, eventName })[0] as Hex
const transferTopic = topicOf(tokenAbi, 'Transfer')
const frozenTopic = topicOf(tokenAbi, 'Frozen')
const orderMintedTopic = topicOf(deskAbi, 'OrderMinted')
// All other events are ignored: anyone may emit them, because approve() is open to all.
const eventTopics = [transferTopic, frozenTopic, orderMintedTopic]

interface LogContext {
  readonly tokenAt: ReadonlyMap<Address, IndexedToken>
  readonly timeOf: (raw: Log) => Date
  /** The address in a topic. */
  readonly checksummed: (topic: Hex) => Address
}

/**
 * Parses a log. Returns undefined for other events, for OrderMinted of a desk that is not the token's, and for
 * zero-unit transfers: they move nothing, and anyone may send them between any addresses, as many as they pay gas for.
 */
function logOf(
  raw: Log,
  { tokenAt, timeOf, checksummed }: LogContext,
): { tenantId: string; log: TokenLog } | undefined {
  const { blockHash, blockNumber, logIndex, transactionHash } = raw
  const [, first = '0x', second = '0x', third = '0x'] = raw.topics as Hex[]
  const emitter = raw.address.toLowerCase() as Address
  const kind = kindOf(raw)
  const isMint = kind === 'order_minted'
  const token = tokenAt.get(isMint ? addressIn(first) : emitter)
  if (!kind || !token || (isMint && token.desk !== emitter)) return undefined
  if (movesNothing(raw)) return undefined
  const from = kind === 'transfer' ? checksummed(first) : zeroAddress
  const to = { transfer: second, order_minted: third, frozen: first }[kind]
  return {
    tenantId: token.tenantId,
    log: {
      blockHash,
      logIndex,
      blockNumber,
      transactionHash,
      blockTimestamp: timeOf(raw),
      offeringId: token.offeringId,
      kind,
      from: from === zeroAddress ? null : from,
      to: checksummed(to),
      units: BigInt(raw.data),
      orderId: isMint ? idFromBytes32(second) : null,
    },
  }
}

/** Returns true for a zero-unit transfer. */
export function movesNothing(log: Log): boolean {
  return kindOf(log) === 'transfer' && BigInt(log.data) === 0n
}

/** Number of topics of each event of our contracts; all have one word of data. */
const topicsOf: Readonly<Record<TokenLog['kind'], number>> = { transfer: 3, order_minted: 4, frozen: 2 }
const wordCharacters = 66

/**
 * An attached token is not our contract. It may have events of the same signature with other indexed arguments, such as
 * the Transfer of an ERC-721 token. One call reads the tokens of all tenants, so these logs must not fail it.
 */
function kindOf({ topics, data }: Log): TokenLog['kind'] | undefined {
  const kind = namedKind(topics[0])
  return kind && topics.length === topicsOf[kind] && data.length === wordCharacters ? kind : undefined
}

function namedKind(topic: Hex | undefined): TokenLog['kind'] | undefined {
  if (topic === transferTopic) return 'transfer'
  if (topic === orderMintedTopic) return 'order_minted'
  return topic === frozenTopic ? 'frozen' : undefined
}

function addressIn(topic: Hex): Address {
  return `0x${topic.slice(-40)}`
}

/** Caches checksums: the checksum of an address is a hash, and logs repeat addresses. */
function checksummedOnce(): (topic: Hex) => Address {
  const known = new Map<Hex, Address>()
  return (topic) => {
    const address = known.get(topic) ?? getAddress(addressIn(topic))
    known.set(topic, address)
    return address
  }
}

function byPosition(one: Log, other: Log): number {
  return Number(one.blockNumber - other.blockNumber) || one.logIndex - other.logIndex
}

/** Concurrent calls for block times. */
const callsMax = 10

/** Returns the time of each log's block. Some nodes return it with the log; for others, each block is read. */
async function timesOf(chain: Chain, logs: readonly Log[]): Promise<(raw: Log) => Date> {
  const times = new Map<bigint, Date>()
  const missing = new Set<bigint>()
  for (const { blockNumber, blockTimestamp } of logs)
    if (typeof blockTimestamp === 'bigint') times.set(blockNumber, new Date(Number(blockTimestamp) * 1000))
    else missing.add(blockNumber)
  const blocks = await pLimit(callsMax).map(missing, (number) => chain.block(number))
  for (const { number, timestamp } of blocks) times.set(number, timestamp)
  return ({ blockNumber }) => {
    const time = times.get(blockNumber)
    if (!time) throw new ChainUnavailable('The node did not return the block of a log.')
    return time
  }
}
