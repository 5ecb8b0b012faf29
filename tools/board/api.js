// @ts-check
// Requests to the program, see docs/board.md.

export class ApiError extends Error {
  /** @param {{code: string, message: string, field?: string, offset?: number}} error @param {number} status */
  constructor(error, status) {
    super(error.message);
    this.code = error.code;
    this.field = error.field;
    this.offset = error.offset;
    this.status = status;
  }
}

/** The token that the program printed with its address. */
export const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? "";

/** Waits for something from the program, which may be stopped meanwhile.
 * @template T @param {Promise<T>} coming @param {AbortSignal} [signal] @returns {Promise<T>} */
async function received(coming, signal) {
  try {
    return await coming;
  } catch (fault) {
    // Browsers tell a broken connection as a TypeError.
    if (signal?.aborted || !(fault instanceof TypeError)) throw fault;
    throw new ApiError({ code: "gone", message: "The program does not answer. Has it been stopped? Start `hexmate board` again." }, 0);
  }
}

/** @param {string} name @param {object} body @param {AbortSignal} [signal] */
async function post(name, body, signal) {
  const answer = await received(fetch(`/api/${name}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Hexmate-Token": token },
    body: JSON.stringify(body),
    signal,
  }), signal);
  if (answer.ok) return answer;
  const told = await answer.json().catch(() => null);
  throw new ApiError(told?.error ?? { code: "fault", message: `The program answered with status ${answer.status}.` }, answer.status);
}

/** Asks for one answer. @param {string} name @param {object} [body] @param {AbortSignal} [signal] @returns {Promise<any>} */
export async function call(name, body = {}, signal) {
  const answer = await post(name, body, signal);
  return received(answer.json(), signal);
}

/** Asks for a stream and gives its objects, one a line. The search behind it ends when `signal` aborts.
 * @param {string} name @param {object} body @param {AbortSignal} signal @returns {AsyncGenerator<any>} */
export async function* stream(name, body, signal) {
  const answer = await post(name, body, signal);
  const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.body).getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await received(reader.read(), signal);
    rest += decoder.decode(value, { stream: !done });
    const lines = rest.split("\n");
    rest = done ? "" : /** @type {string} */ (lines.pop());
    for (const line of lines) {
      if (!line.trim()) continue;
      const told = JSON.parse(line);
      if (told.type === "error") throw new ApiError(told.error, 200);
      yield told;
    }
    if (done) return;
  }
}

/** Whether a fault is only that we ended a request ourselves. @param {any} fault */
export const wasAborted = (fault) => fault?.name === "AbortError";
