/** One message of a stream of server-sent events. */
export interface StreamMessage {
  readonly id: string
  readonly type: string
  readonly data: string
}

/** Reads messages. Also calls `onBytes` for comments, which only show that the connection is alive. */
export async function* readMessages(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onBytes: () => void = () => {},
): AsyncGenerator<StreamMessage> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    onBytes()
    const parts = (text + value).split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) {
      const message = parse(part)
      if (message) yield message
    }
  }
}

function parse(part: string): StreamMessage | undefined {
  const fields = new Map(
    part
      .split('\n')
      .map((line) => /^(id|event|data): ?(.*)$/.exec(line))
      .flatMap((match) => (match ? [[match[1], match[2] ?? ''] as const] : [])),
  )
  const type = fields.get('event')
  return type === undefined ? undefined : { id: fields.get('id') ?? '', type, data: fields.get('data') ?? '' }
}
