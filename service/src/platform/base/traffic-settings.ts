import { tmpdir } from 'node:os'
import { integer, nonEmpty } from './setting-parsers.ts'
import type { settingsReader } from './settings-reader.ts'

/** Reads the limits on the traffic that one process accepts from its clients. */
export function readTrafficLimits({ withDefault }: ReturnType<typeof settingsReader>) {
  const seconds = (text: string) => integer(1, 3_600)(text) * 1_000
  /** requests of tenants in one cell that are processed at once, reads and writes counted apart; more get 503 */
  const requestsPerCellMax = withDefault('REQUESTS_PER_CELL_MAX', integer(1, 100_000), '100')
  /** streams of events that are open at once in a process of the operator API; more get 503 */
  const streamsMax = withDefault('STREAMS_MAX', integer(1, 100_000), '200')
  return {
    /**
     * where the operator API and `maintain import-statement` keep a file while they receive and process it, on a disk:
     * eight bank statements of 256 MiB need 2 GiB @default the temporary folder, `/tmp`
     */
    uploadFolder: withDefault('UPLOAD_FOLDER', nonEmpty, tmpdir()),
    /** requests of identified callers that are processed at once; more get 503 */
    requestsInFlightMax: withDefault('REQUESTS_IN_FLIGHT_MAX', integer(1, 100_000), '500'),
    requestsPerCellMax,
    /** requests of one tenant that are processed at once; more get 429 @default half of `REQUESTS_PER_CELL_MAX` */
    requestsPerTenantMax: withDefault('REQUESTS_PER_TENANT_MAX', integer(1, 100_000), share(requestsPerCellMax, 1 / 2)),
    /**
     * requests of one user or credential that are processed at once; more get 429 @default two fifths of
     * `REQUESTS_PER_CELL_MAX`
     */
    requestsPerCallerMax: withDefault('REQUESTS_PER_CALLER_MAX', integer(1, 100_000), share(requestsPerCellMax, 2 / 5)),
    /**
     * bodies of identified callers that are arriving at once, of which a tenant may have a quarter and a caller a
     * twentieth; more get 429, and 503 above the limit of all
     */
    arrivingBodiesMax: withDefault('ARRIVING_BODIES_MAX', integer(1, 100_000), '500'),
    streamsMax,
    /** streams of one tenant that are open at once; more get 429 @default half of `STREAMS_MAX` */
    streamsPerTenantMax: withDefault('STREAMS_PER_TENANT_MAX', integer(1, 100_000), share(streamsMax, 1 / 2)),
    /** streams of one person that are open at once; more get 429 */
    streamsPerPersonMax: withDefault('STREAMS_PER_PERSON_MAX', integer(1, 1_000), '5'),
    /** requests of one address (IPv6: one /64) that are processed at once before their caller is known; more get 503 */
    unidentifiedRequestsMax: withDefault('UNIDENTIFIED_REQUESTS_MAX', integer(1, 100_000), '250'),
    /** open connections; more are closed at once */
    connectionsMax: withDefault('CONNECTIONS_MAX', integer(1, 1_000_000), '5000'),
    /** open connections of one address (IPv6: of one /64) that is not a trusted proxy; more are closed at once */
    connectionsPerAddressMax: withDefault('CONNECTIONS_PER_ADDRESS_MAX', integer(1, 1_000_000), '1000'),
    /** requests on one connection; the response to the last one closes it */
    requestsPerConnectionMax: withDefault('REQUESTS_PER_CONNECTION_MAX', integer(1, 100_000_000), '10000'),
    /** how long a request may take to arrive; then it gets 408 */
    requestTimeoutMs: withDefault('REQUEST_TIMEOUT_SECONDS', seconds, '30'),
    /** how long a file that an identified operator uploads may take to arrive; then it gets 408 */
    uploadTimeoutMs: withDefault('UPLOAD_TIMEOUT_SECONDS', seconds, '300'),
    /** how long a client may take to read a response; then its connection is closed */
    responseTimeoutMs: withDefault('RESPONSE_TIMEOUT_SECONDS', seconds, '20'),
  }
}

/** Returns the default of a share. If the total limit is invalid, so is the whole configuration. */
function share(all: number | undefined, part: number): string {
  return String(Math.max(1, Math.floor((all ?? 1) * part)))
}
