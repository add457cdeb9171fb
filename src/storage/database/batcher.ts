// Questions that arrive while the database answers others are asked together in the next statement. A lone question waits
// for nobody, and each is asked after it arrived: what it is told was true at some moment since.

interface Waiting<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

const MOST_AT_ONCE = 512;

export class Gathered<Question, Answer> {
  readonly #ask: (questions: readonly Question[]) => Promise<readonly Answer[]>;
  readonly #waiting: Waiting<Question, Answer>[] = [];
  #isAsking = false;

  /** @param ask  answers in the order of the questions */
  constructor(ask: (questions: readonly Question[]) => Promise<readonly Answer[]>) {
    this.#ask = ask;
  }

  /** @throws what asking the statement throws, for all that stand in it */
  ask(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, resolve, reject });
      if (!this.#isAsking) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#isAsking = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MOST_AT_ONCE);
      try {
        const answers = await this.#ask(batch.map(({ question }) => question));
        for (const [i, { resolve }] of batch.entries()) resolve(answers[i] as Answer);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isAsking = false;
  }
}
