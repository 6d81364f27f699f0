import { cellList, integer, oneOf, url } from './setting-parsers.ts'
import type { settingsReader } from './settings-reader.ts'

type SettingsReader = ReturnType<typeof settingsReader>

/**
 * Reads the URLs of the directory and the cells for each login: that of the service, that of its lanes, that of the job
 * queue and loops, and that of the owner, which migrations use.
 */
export function readDatabaseUrls(reader: SettingsReader) {
  const { problems, isSet, required, optional, withDefault } = reader
  const { postgresUrl, cellUrls } = parsersOf(reader)
  /** the directory; also the cell `main`, unless it lists others or `CELLS` is set */
  const databaseUrl = required('DATABASE_URL', postgresUrl)
  /**
   * `name=postgres://… name=postgres://…`: every cell and its database; without it the directory lists the cells, see
   * [Cells](#cells)
   */
  const namedCells = optional('CELLS', cellUrls)
  const cells = namedCells ?? onlyMain(databaseUrl)
  /** connections of `DATABASE_POOL_MAX` that the API uses for the reads of all requests; 0 gives each read another */
  const readLanes = withDefault('READ_LANES', integer(0, 16), '3')
  /**
   * `own` sends statements together and reads rows as bytes; `driver` leaves both to the driver, without lanes, if a
   * new release of PostgreSQL or the driver does something unexpected
   */
  const databaseWire = withDefault('DATABASE_WIRE', oneOf(['own', 'driver'] as const), 'own')
  /** the directory with the login of lanes, if a pooler drops the settings of connections @default as above */
  const readDatabaseUrl = optional('READ_DATABASE_URL', postgresUrl) ?? databaseUrl
  const readCells =
    /** the cells with the login of lanes @default as above */
    optional('READ_CELLS', cellUrls) ?? namedCells ?? onlyMain(readDatabaseUrl)
  /** the directory with the login of the job queue, see below @default *development:* as above */
  const workerDatabaseUrl = optional('WORKER_DATABASE_URL', postgresUrl) ?? databaseUrl
  const workerCells =
    /** the cells with the login of the job queue @default *development:* as above */
    optional('WORKER_CELLS', cellUrls) ?? namedCells ?? onlyMain(workerDatabaseUrl)
  /** the directory with the login that owns the tables; only `maintain` uses it, see below @default as above */
  const ownerDatabaseUrl = optional('OWNER_DATABASE_URL', postgresUrl) ?? databaseUrl
  const ownerCells =
    /** the cells with the login that owns the tables @default as above */
    optional('OWNER_CELLS', cellUrls) ?? namedCells ?? onlyMain(ownerDatabaseUrl)
  for (const [login, other] of [
    ['OWNER', ownerCells],
    ['READ', readCells],
    ['WORKER', workerCells],
  ] as const) {
    if (namedCells && isSet(`${login}_DATABASE_URL`) && !isSet(`${login}_CELLS`)) problems.push(cellsMissing(login))
    const missing = [...cells.keys()].filter((name) => !other.has(name))
    if (missing.length > 0) problems.push(`${login}_CELLS is invalid: it does not list ${missing.join(', ')} of CELLS.`)
  }
  const areCellsListed = namedCells !== undefined
  const served = readServedCells(reader)
  const logins = { readDatabaseUrl, readCells, workerDatabaseUrl, workerCells, ownerDatabaseUrl, ownerCells }
  return { databaseUrl, cells, areCellsListed, readLanes, databaseWire, ...logins, ...served }
}

/** Reads the databases with the owner's login alone, so that DATABASE_URL is needed only if the owner has no login. */
export function readOwnerLogins(reader: SettingsReader) {
  const { problems, isSet, required, optional } = reader
  const { postgresUrl, cellUrls } = parsersOf(reader)
  const hasLogin = isSet('OWNER_DATABASE_URL')
  const ownerDatabaseUrl = required(hasLogin ? 'OWNER_DATABASE_URL' : 'DATABASE_URL', postgresUrl)
  if (hasLogin && isSet('CELLS') && !isSet('OWNER_CELLS')) problems.push(cellsMissing('OWNER'))
  const listed = optional('OWNER_CELLS', cellUrls) ?? optional('CELLS', cellUrls)
  const ownerCells = listed ?? onlyMain(ownerDatabaseUrl)
  return { ownerDatabaseUrl, ownerCells, areCellsListed: listed !== undefined }
}

const onlyMain = (databaseUrl: string) => new Map([['main', databaseUrl]])

/** Reads how a worker or an indexer divides its time between cells. */
function readServedCells({ isDevelopment, withDefault }: SettingsReader) {
  return {
    /**
     * maximum of cells that one worker or indexer serves, if the directory lists more; then two processes serve each
     * @default 25
     */
    cellsPerProcessMax: withDefault('CELLS_PER_PROCESS_MAX', integer(1, 1_000), '25'),
    /**
     * how often a worker at least looks for work in a cell that has none, in milliseconds @default 1000,
     * *development:* 50
     */
    idlePollMs: withDefault('IDLE_POLL_MS', integer(50, 60_000), isDevelopment ? '50' : '1000'),
  }
}

function parsersOf({ encrypted }: SettingsReader) {
  return { postgresUrl: encrypted(url(['postgres:', 'postgresql:'])), cellUrls: encrypted(cellList) }
}

function cellsMissing(login: 'OWNER' | 'READ' | 'WORKER'): string {
  return `${login}_CELLS is missing. CELLS and ${login}_DATABASE_URL are set, so also list the cells with that login.`
}
