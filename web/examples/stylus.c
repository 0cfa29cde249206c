/* A gateway with one stylus over HTTP and JSON, for small devices. It needs libc and BSD sockets.
 *
 *     cc -o stylus stylus.c
 *     ./stylus HOST PORT KEY STYLUS
 *
 * KEY is the gateway's key from CreateGateway, STYLUS the hardware id of a stylus that is paired and
 * seated. Each line of the standard input is a tap, such as `space a6` or `button confirm`. For each
 * prompt it prints the two lines for a small display, what came of the tap, and why it was refused.
 *
 * Each tap has a number, and is sent again until it is acknowledged, so that it counts exactly once.
 * docs/gateway.md describes the protocol. A device that may lose its power also writes `kept` and
 * `epoch` to flash before it sends a tap. */

#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { MOST_TAPS = 64, LONGEST_CODE = 100, LONGEST_FRAME = 65536, LONGEST_BODY = 32768 };
enum { RESEND_SECONDS = 2, SILENT_SECONDS = 10, PAUSE_SECONDS = 1 };

typedef unsigned long number;

struct tap {
  number seq, prompt;
  unsigned long long device_ms;
  int offline;
  char code[LONGEST_CODE + 1];
};

static const char *host, *port, *key, *stylus;
static char epoch[17];
static struct tap kept[MOST_TAPS]; /* The taps that are not acknowledged, in order. */
static int count;
static number last, sent, prompt; /* Newest tap, newest tap sent, number of the prompt shown. */
static int welcomed;
static time_t quiet, stuck; /* Since when nothing was heard or sent, and nothing was acknowledged. */

/* --- JSON: a value is a pointer to its first character ------------------------------------------ */

static const char *blank(const char *at) { return at + strspn(at, " \t\r\n:,"); }

/* Return where a value ends. */
static const char *skip(const char *at) {
  int depth = 0;
  do {
    at = blank(at);
    if (*at == '"') {
      for (at++; *at && *at != '"'; at++) at += *at == '\\' && at[1];
      at += *at != 0;
    } else if (*at == '{' || *at == '[') {
      depth++, at++;
    } else if (*at == '}' || *at == ']') {
      depth--, at++;
    } else {
      at += strcspn(at, " \t\r\n:,{}[]\"");
    }
  } while (depth > 0 && *at);
  return at;
}

/* Return the value of an object's member, or NULL. */
static const char *member(const char *object, const char *name) {
  size_t size = strlen(name);
  if (!object || *object != '{') return NULL;
  for (const char *at = blank(object + 1); *at == '"';) {
    const char *value = blank(skip(at));
    if (!strncmp(at + 1, name, size) && at[1 + size] == '"') return value;
    at = blank(skip(value));
  }
  return NULL;
}

/* Return a number. 0 is left out in the API's JSON. */
static number number_of(const char *object, const char *name) {
  const char *value = member(object, name);
  return value ? strtoul(value, NULL, 10) : 0;
}

/* Print a string. The JSON of the service has all but ASCII as \u escapes: those are shown as ?. */
static void show(const char *value) {
  if (!value || *value != '"') return;
  for (value++; *value && *value != '"'; value++) {
    if (*value != '\\') putchar(*value);
    else if (*++value == 'u') value += 4, putchar('?');
    else putchar(*value == 'n' || *value == 't' ? ' ' : *value);
  }
}

/* --- HTTP ---------------------------------------------------------------------------------------- */

static int dial(void) {
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found, *each;
  struct timeval patience = {SILENT_SECONDS, 0};
  int line = -1, on = 1;
  if (getaddrinfo(host, port, &hints, &found)) return -1;
  for (each = found; each; each = each->ai_next) {
    line = socket(each->ai_family, each->ai_socktype, each->ai_protocol);
    if (line >= 0 && !connect(line, each->ai_addr, each->ai_addrlen)) break;
    if (line >= 0) close(line);
    line = -1;
  }
  freeaddrinfo(found);
  setsockopt(line, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  setsockopt(line, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(line, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  return line;
}

static int push(int line, const char *bytes, size_t size) {
  while (size) {
    ssize_t wrote = send(line, bytes, size, 0);
    if (wrote <= 0) return -1;
    bytes += wrote, size -= wrote;
  }
  return 0;
}

/* Call a method of the service. Return the connection on which it answers, or -1. */
static int post(const char *method, const char *type, const char *body, size_t size) {
  char head[1024];
  int line = dial();
  snprintf(head, sizeof head,
           "POST /emeth.devices.v1.GatewaysService/%s HTTP/1.1\r\nHost: %s\r\n"
           "Authorization: Bearer %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n",
           method, host, key, type, size);
  if (line < 0) return -1;
  if (!push(line, head, strlen(head)) && !push(line, body, size)) return line;
  close(line);
  return -1;
}

/* --- the protocol -------------------------------------------------------------------------------- */

static void begin_epoch(void) {
  unsigned char bytes[8];
  FILE *random = fopen("/dev/urandom", "rb"); /* Or the hardware's own source. */
  if (!random || fread(bytes, sizeof bytes, 1, random) != 1) perror("/dev/urandom"), exit(1);
  fclose(random);
  for (int i = 0; i < 8; i++) sprintf(epoch + 2 * i, "%02x", bytes[i]);
  for (int i = 0; i < count; i++) kept[i].seq = i + 1;
  last = count;
}

static void acknowledge(number highest) {
  int done = 0;
  while (done < count && kept[done].seq <= highest) done++;
  memmove(kept, kept + done, (count - done) * sizeof *kept);
  count -= done;
  if (done) stuck = time(NULL);
  if (last < highest) last = highest;
}

/* Keep a tap, with the prompt that its user looks at now. */
static void take(const char *code) {
  if (count == MOST_TAPS) {
    fprintf(stderr, "too many taps wait: %s is not taken\n", code);
    return;
  }
  struct tap *tap = &kept[count++];
  *tap = (struct tap){++last, prompt, time(NULL) * 1000ULL, !welcomed, ""};
  strncpy(tap->code, code, LONGEST_CODE);
  quiet = time(NULL);
  if (count == 1) stuck = quiet;
}

/* Send the taps that were not sent on this connection. Return -1 if that fails. */
static int send_taps(void) {
  static char body[LONGEST_BODY];
  size_t size = snprintf(body, sizeof body, "{\"epoch\":\"%s\",\"messages\":[", epoch);
  number newest = sent;
  for (int i = 0; i < count && size + 400 < sizeof body; i++) {
    char code[2 * LONGEST_CODE + 1], *to = code;
    if (kept[i].seq <= sent) continue;
    for (const char *from = kept[i].code; *from; from++) {
      if (*from == '"' || *from == '\\') *to++ = '\\';
      *to++ = (unsigned char)*from < ' ' ? ' ' : *from;
    }
    *to = 0;
    size += snprintf(body + size, sizeof body - size,
                     "%s{\"tap\":{\"seq\":%lu,\"deviceMs\":\"%llu\",\"stylusId\":\"%s\","
                     "\"code\":\"%s\",\"promptNumber\":%lu%s}}",
                     newest > sent ? "," : "", kept[i].seq, kept[i].device_ms, stylus, code,
                     kept[i].prompt, kept[i].offline ? ",\"offline\":true" : "");
    newest = kept[i].seq;
  }
  if (newest == sent) return 0;
  size += snprintf(body + size, sizeof body - size, "]}");
  char answer[13] = "";
  int line = post("Send", "application/json", body, size);
  if (line < 0) return -1;
  int taken = recv(line, answer, 12, MSG_WAITALL) == 12 && !strcmp(answer, "HTTP/1.1 200");
  close(line);
  if (taken) sent = newest;
  return taken ? 0 : -1; /* GATEWAY_NOT_LISTENING, or the service stops: listen again. */
}

/* Take in a message of the service. Return -1 if the connection is of no more use. */
static int hear(const char *message) {
  const char *answer = member(message, "response"), *what;
  quiet = time(NULL);
  if ((what = member(answer, "welcome"))) {
    const char *closed = member(what, "epochClosed");
    if (closed && *closed == 't') {
      begin_epoch();
      return -1;
    }
    acknowledge(number_of(what, "highestSeq"));
    sent = number_of(what, "highestSeq");
    welcomed = 1;
  } else if ((what = member(answer, "acknowledgement"))) {
    acknowledge(number_of(what, "highestSeq"));
  } else if ((what = member(answer, "gap"))) {
    sent = number_of(what, "expectedSeq") - 1;
  } else if ((what = member(answer, "prompt"))) {
    const char *own = member(what, "stylusId"), *lines = member(member(what, "signals"), "lines");
    acknowledge(number_of(what, "acknowledgedSeq"));
    if (!own || strncmp(own + 1, stylus, strlen(stylus)) || own[1 + strlen(stylus)] != '"') return 0;
    prompt = number_of(what, "promptNumber");
    for (int i = 0; lines && i < 2; i++, putchar('\t')) {
      lines = blank(i ? skip(lines) : lines + 1);
      show(lines);
    }
    const char *event = member(what, "events");
    if (event && *(event = blank(event + 1)) == '{') show(member(event, "sentence"));
    show(member(member(what, "refusal"), "why"));
    putchar('\n');
    fflush(stdout);
  }
  return member(answer, "disconnect") ? -1 : 0; /* What it does not know it passes over. */
}

/* Take in a byte of the stream: five bytes that say flags and length, then so many of JSON. The last
 * message, with flag 2, says why the stream ended. Return -1 if it ended. */
static int frame(unsigned char byte, int restart) {
  static char text[LONGEST_FRAME + 1];
  static unsigned char head[5];
  static size_t at, size;
  if (restart) return at = 0;
  if (at < 5) head[at] = byte;
  else text[at - 5] = byte;
  if (++at == 5) {
    size = (size_t)head[1] << 24 | head[2] << 16 | head[3] << 8 | head[4];
    if (size > LONGEST_FRAME) return -1;
  }
  if (at < 5 || at < 5 + size) return 0;
  text[size] = at = 0;
  if (!(head[0] & 2)) return hear(text);
  if (!strstr(text, "\"unauthenticated\"") && !strstr(text, "\"permission_denied\"")) return -1;
  fprintf(stderr, "%s\n", text);
  exit(1);
}

/* Take in a byte of the answer to Listen: a header, then chunks, each after a line with its size. */
static int chunk(char byte, int restart) {
  static char text[512];
  static size_t at, left;
  static enum { STATUS, HEADER, SIZE, DATA, AFTER } state;
  if (restart) return state = STATUS, at = 0, frame(0, 1);
  if (state == DATA) {
    if (!--left) state = AFTER;
    return frame(byte, 0);
  }
  if (byte != '\n') {
    if (byte != '\r' && at + 1 < sizeof text) text[at++] = byte;
    return 0;
  }
  text[at] = 0;
  if (state == STATUS && strncmp(text, "HTTP/1.1 200", 12)) return -1;
  if (state == STATUS || state == AFTER) state = state == STATUS ? HEADER : SIZE;
  else if (state == HEADER && !at) state = SIZE;
  else if (state == SIZE && !(left = strtoul(text, NULL, 16))) return -1;
  else if (state == SIZE) state = DATA;
  at = 0;
  return 0;
}

static int listen_again(void) {
  char body[512];
  const char *end = strrchr(key, '.');
  int size = snprintf(body + 5, sizeof body - 5,
                      "{\"hello\":{\"gatewayId\":\"%.*s\",\"epoch\":\"%s\",\"firstKeptSeq\":%lu,"
                      "\"software\":\"emeth-stylus-c/1\"}}",
                      end ? (int)(end - key) : 0, key, epoch, count ? kept[0].seq : last + 1);
  body[0] = body[1] = body[2] = 0;
  body[3] = size >> 8, body[4] = size & 255;
  chunk(0, 1);
  quiet = stuck = time(NULL);
  return post("Listen", "application/connect+json", body, 5 + size);
}

int main(int argc, char **argv) {
  static char input[4096];
  size_t typed = 0;
  int line = -1, open = 1;
  if (argc != 5) {
    fprintf(stderr, "usage: %s HOST PORT KEY STYLUS\n", argv[0]);
    return 2;
  }
  host = argv[1], port = argv[2], key = argv[3], stylus = argv[4];
  signal(SIGPIPE, SIG_IGN);
  begin_epoch();
  while (open || count) {
    int lost = 0;
    if (line < 0 && (line = listen_again()) < 0) sleep(PAUSE_SECONDS);
    struct pollfd polled[] = {{line, POLLIN, 0}, {open ? STDIN_FILENO : -1, POLLIN, 0}};
    poll(polled, 2, 250);
    if (polled[0].revents) {
      char bytes[4096];
      ssize_t size = recv(line, bytes, sizeof bytes, 0);
      lost = size <= 0;
      for (ssize_t i = 0; i < size && !lost; i++) lost = chunk(bytes[i], 0) < 0;
    }
    if (polled[1].revents) {
      ssize_t size = read(STDIN_FILENO, input + typed, sizeof input - typed - 1);
      open = size > 0;
      input[typed += size > 0 ? size : 0] = 0;
      for (char *end; (end = strchr(input, '\n')); typed = strlen(input)) {
        *end = 0;
        if (end > input) take(input);
        memmove(input, end + 1, strlen(end + 1) + 1);
      }
    }
    if (count && time(NULL) - quiet >= RESEND_SECONDS) {
      sent = kept[0].seq - 1;
      quiet = time(NULL);
    }
    if (count && time(NULL) - stuck >= SILENT_SECONDS) lost = 1;
    if (!lost && welcomed && line >= 0) lost = send_taps() < 0;
    if (lost) {
      close(line);
      line = -1, welcomed = 0;
      sleep(PAUSE_SECONDS);
    }
  }
  return 0;
}
