import type { Socket } from 'node:net'

/** Splits the data of a connection into responses by their content-length, which every response of the API has. */
export function readResponses(socket: Socket, received: (status: number, text: () => string) => void): void {
  let chunks: Buffer[] = []
  let missing = -1
  let status = 0
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    if (missing < 0) {
      const whole = chunks.length === 1 ? chunk : Buffer.concat(chunks)
      const headEnd = whole.indexOf('\r\n\r\n')
      if (headEnd < 0) return
      const head = whole.toString('latin1', 0, headEnd)
      status = Number(head.slice(9, 12))
      missing = Number(/content-length: (\d+)/i.exec(head)?.[1]) - (whole.length - headEnd - 4)
    } else missing -= chunk.length
    if (missing > 0) return
    const whole = chunks
    chunks = []
    missing = -1
    received(status, () => Buffer.concat(whole).toString())
  })
}
