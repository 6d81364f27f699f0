import { SaxesParser, type SaxesTagNS } from 'saxes'
import { statementErrors } from './statement.errors.ts'
import { statementFileError } from './statement-file-error.ts'

/** Receives the events of an XML file. Names have no prefix; `uri` is their namespace. */
export interface XmlListener {
  open(tag: { name: string; uri: string; attribute(name: string): string | undefined }): void
  text(text: string): void
  close(): void
}

/** Far above what a bank statement needs. */
export interface XmlLimits {
  readonly depthMax: number
  readonly attributesMax: number
  /** Maximum length of a text, name, attribute, comment or processing instruction, in characters. */
  readonly partLengthMax: number
}

export const xmlLimits: XmlLimits = { depthMax: 40, attributesMax: 20, partLengthMax: 64 * 1024 }

export interface XmlReader {
  write(bytes: Uint8Array): void
  end(): void
  /** The current line, for error messages. */
  line(): number
}

/**
 * Parses XML piece by piece and rejects everything that a bank has no reason to send: any encoding but UTF-8, a DOCTYPE
 * and thus custom entities, and anything beyond the limits. The parser buffers a part until it is complete, so limiting
 * the distance to the last event limits its memory.
 */
export function xmlReader(listener: XmlListener, limits: XmlLimits = xmlLimits): XmlReader {
  const parser = new SaxesParser({ xmlns: true })
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let lastEventAt = 0
  const reject = (problem: string): never => {
    throw statementFileError(statementErrors.statement_unreadable, parser.line, problem)
  }
  const onEvent = () => {
    lastEventAt = parser.position
  }
  const depth = forwardEvents(parser, listener, { limits, reject, onEvent })

  const decode = (bytes?: Uint8Array): string => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
    } catch {
      return reject('the file has bytes that are not UTF-8.')
    }
  }
  return {
    line: () => parser.line,
    write: (bytes) => {
      // Writes small pieces, so that the reader detects an oversized part soon after its limit.
      for (let start = 0; start < bytes.length; start += pieceBytes) {
        parser.write(decode(bytes.subarray(start, start + pieceBytes)))
        if (parser.position - lastEventAt > limits.partLengthMax)
          reject(`a text, a name or an attribute has more than ${limits.partLengthMax} characters.`)
      }
    },
    end: () => {
      parser.write(decode())
      if (depth() > 0) reject('the file is truncated.')
      parser.close()
    },
  }
}

const pieceBytes = 16 * 1024

interface EventContext {
  limits: XmlLimits
  reject: (problem: string) => never
  onEvent: () => void
}

/** Checks the parser's events and passes them to the listener. Returns a function for the current depth. */
function forwardEvents(
  parser: SaxesParser<{ xmlns: true }>,
  listener: XmlListener,
  { limits, reject, onEvent }: EventContext,
): () => number {
  let [depth, attributes] = [0, 0]
  parser.on('xmldecl', ({ encoding, version }) => {
    onEvent()
    if (version !== '1.0') reject('the file is not XML 1.0.')
    if (encoding !== undefined && !/^utf-?8$/i.test(encoding)) reject('the file declares another encoding than UTF-8.')
  })
  parser.on('doctype', () => reject('the file has a document type (DOCTYPE), which is not allowed.'))
  parser.on('opentagstart', () => {
    onEvent()
    attributes = 0
  })
  parser.on('attribute', () => {
    onEvent()
    attributes += 1
    if (attributes > limits.attributesMax) reject(`an element has more than ${limits.attributesMax} attributes.`)
  })
  parser.on('opentag', (tag) => {
    onEvent()
    depth += 1
    if (depth > limits.depthMax) reject(`elements are nested more than ${limits.depthMax} deep.`)
    listener.open({ name: tag.local, uri: tag.uri, attribute: (name) => attributeOf(tag, name) })
  })
  parser.on('closetag', () => {
    onEvent()
    depth -= 1
    listener.close()
  })
  const onText = (text: string) => {
    onEvent()
    listener.text(text)
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  parser.on('comment', onEvent)
  parser.on('processinginstruction', onEvent)
  // Never the parser's own message: it may quote the file, which contains personal data.
  parser.on('error', () => reject('the file is not well-formed XML.'))
  return () => depth
}

function attributeOf(tag: SaxesTagNS, name: string): string | undefined {
  return tag.attributes[name]?.value
}
