// The same page and order with PostGraphile: row-level security, a signed token, and no other check of ours.
import { createServer } from 'node:http'
import { jwtVerify } from 'jose'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { grafserv } from 'postgraphile/grafserv/node'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'

const secret = new TextEncoder().encode(process.env.SECRET)

/** @type {import('graphile-config').GraphileConfig.Preset} */
const preset = {
  extends: [PostGraphileAmberPreset],
  pgServices: [
    makePgService({
      connectionString: process.env.DATABASE_URL,
      schemas: ['cell'],
      poolConfig: { max: Number(process.env.CONNECTIONS) },
    }),
  ],
  grafserv: { websockets: false, graphiql: false },
  grafast: {
    explain: false,
    async context({ node }) {
      const [, token = ''] = (node?.req.headers.authorization ?? '').split(' ')
      const { payload } = await jwtVerify(token, secret)
      return { pgSettings: { 'app.tenant_id': payload.tenantId } }
    },
  },
}

const server = createServer()
const served = postgraphile(preset).createServ(grafserv) // cspell:disable-line
await served.addTo(server)
server.listen(Number(process.env.PORT), '127.0.0.1')
