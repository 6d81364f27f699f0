import pLimit from 'p-limit'
import { type Address, encodeEventTopics, getAddress, type Hash, type Hex, zeroAddress } from 'viem'
import { type Chain, ChainUnavailable } from '../chain/chain.ts'
import { deskAbi, idFromBytes32, tokenAbi } from '../chain/contracts.ts'
import type { IndexedToken } from './indexed-token.sql.ts'
import type { TokenLog } from './token-log.sql.ts'

export type LogsByTenant = ReadonlyMap<string, readonly TokenLog[]>

type BlockRange = { from: bigint; to: bigint } | { blockHash: Hash; timestamp: Date }

// Common nodes accept this many addresses in one call.
const addressesMax = 500

/** The logs of these tokens and their desks in the given blocks, by tenant, in the order of the chain. */
export async function readLogs(
  chain: Chain,
  tokens: readonly IndexedToken[],
  where: BlockRange,
): Promise<LogsByTenant> {
  const addresses = [...new Set(tokens.flatMap(({ token, desk }) => (desk ? [token, desk] : [token])))]
  const found: RawLog[] = []
  for (let first = 0; first < addresses.length; first += addressesMax) {
    const page = addresses.slice(first, first + addressesMax)
    found.push(...(await chain.logs(page, 'blockHash' in where ? { blockHash: where.blockHash } : where)))
  }
  if (addresses.length > addressesMax) found.sort(byPosition)
  const timeOf = 'blockHash' in where ? () => where.timestamp : await timesOf(chain, found)
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

type RawLog = Awaited<ReturnType<Chain['logs']>>[number]

const [transferTopic] = encodeEventTopics({ abi: tokenAbi, eventName: 'Transfer' })
const [frozenTopic] = encodeEventTopics({ abi: tokenAbi, eventName: 'Frozen' })
const [orderMintedTopic] = encodeEventTopics({ abi: deskAbi, eventName: 'OrderMinted' })

interface LogContext {
  readonly tokenAt: ReadonlyMap<Address, IndexedToken>
  readonly timeOf: (raw: RawLog) => Date
  /** The address in a topic. */
  readonly checksummed: (topic: Hex) => Address
}

/** Undefined for other events, and for OrderMinted of a desk that is not the token's. */
function logOf(
  raw: RawLog,
  { tokenAt, timeOf, checksummed }: LogContext,
): { tenantId: string; log: TokenLog } | undefined {
  const { blockHash, blockNumber, logIndex, transactionHash } = raw
  if (blockHash === null || blockNumber === null || logIndex === null || transactionHash === null)
    throw new ChainUnavailable('The node returned a log without a block.')
  const [, first = '0x', second = '0x', third = '0x'] = raw.topics as Hex[]
  const emitter = raw.address.toLowerCase() as Address
  const kind = kindOf(raw)
  const isMint = kind === 'order_minted'
  const token = tokenAt.get(isMint ? addressIn(first) : emitter)
  if (!kind || !token || (isMint && token.desk !== emitter)) return undefined
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

/** How many topics each event of our contracts has; all have one word of data. */
const topicsOf: Readonly<Record<TokenLog['kind'], number>> = { transfer: 3, order_minted: 4, frozen: 2 }
const wordCharacters = 66

/**
 * An attached token is not our contract. It may have events of the same signature with other indexed arguments, such as
 * the Transfer of an ERC-721 token. One call reads the tokens of all tenants, so these logs must not fail it.
 */
function kindOf({ topics, data }: RawLog): TokenLog['kind'] | undefined {
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

/** The checksum of an address is a hash, and logs repeat addresses. */
function checksummedOnce(): (topic: Hex) => Address {
  const known = new Map<Hex, Address>()
  return (topic) => {
    const address = known.get(topic) ?? getAddress(addressIn(topic))
    known.set(topic, address)
    return address
  }
}

function byPosition(one: RawLog, other: RawLog): number {
  const blocksApart = Number((one.blockNumber ?? 0n) - (other.blockNumber ?? 0n))
  return blocksApart || (one.logIndex ?? 0) - (other.logIndex ?? 0)
}

/** Concurrent calls for block times. */
const callsMax = 10

/** The time of each log's block. Some nodes return it with the log; for others, each block is read. */
async function timesOf(chain: Chain, logs: readonly RawLog[]): Promise<(raw: RawLog) => Date> {
  const times = new Map<bigint | null, Date>()
  const missing = new Set<bigint>()
  for (const { blockNumber, blockTimestamp } of logs)
    if (typeof blockTimestamp === 'bigint') times.set(blockNumber, new Date(Number(blockTimestamp) * 1000))
    else if (blockNumber !== null) missing.add(blockNumber)
  const blocks = await pLimit(callsMax).map(missing, (number) => chain.block(number))
  for (const { number, timestamp } of blocks) times.set(number, timestamp)
  return ({ blockNumber }) => {
    const time = times.get(blockNumber)
    if (!time) throw new ChainUnavailable('The node did not return the block of a log.')
    return time
  }
}
